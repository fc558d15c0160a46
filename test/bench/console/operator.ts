import { runExecutable } from "../../support/executable.ts";

/** An operator who uses the console of a server. */
export interface Operator {
  /** The session, as a `Cookie` header has it. */
  readonly cookie: string;
  /** The bytes of a path's answer. @throws Error if it is not a 200. */
  get(path: string): Promise<string>;
}

/** Adds an owner to the folder, and signs in to the server that runs on it. */
export async function signIn(data: string, operatorUrl: string): Promise<Operator> {
  const args = ["operator", "add", "bench", "--role", "owner", "--json", "--data", data];
  const { stdout, stderr, exitCode } = await runExecutable(args, { cwd: data });
  if (exitCode !== 0) throw new Error(stderr);
  const { link } = JSON.parse(stdout) as { link: { url: string } };
  const secret = new URL(link.url).hash.slice("#link=".length);
  const answer = await fetch(`${operatorUrl}/api/v1/session/link`, {
    method: "POST",
    headers: { "Sec-Fetch-Site": "same-origin", "Content-Type": "application/json" },
    body: JSON.stringify({ secret }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
  return {
    cookie,
    async get(path) {
      const page = await fetch(`${operatorUrl}/api/v1${path}`, { headers: { Cookie: cookie } });
      const text = await page.text();
      if (!page.ok) throw new Error(`${path}: ${page.status} ${text}`);
      return text;
    },
  };
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const { port } = server;
  await server.stop(true);
  return port!;
}
