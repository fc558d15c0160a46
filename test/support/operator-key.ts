import type { OperatorPermission } from "../../src/domain/operator/access.ts";
import { runExecutable, type ServingExecutable } from "./executable.ts";
import { OWN_PAGE } from "./operators.ts";

interface KeyOptions {
  cwd: string;
  env?: Record<string, string>;
  permissions: readonly OperatorPermission[];
}

/** Makes a key as operators do: `operator add` prints a link, the link signs in, the session makes the key. */
export async function makeOperatorKey(
  { operatorUrl }: Pick<ServingExecutable, "operatorUrl">,
  { cwd, env = {}, permissions }: KeyOptions,
): Promise<string> {
  const added = await runExecutable(["operator", "add", "owner", "--role", "owner", "--json"], { cwd, env });
  if (added.exitCode !== 0) throw new Error(added.stderr);
  const { link } = JSON.parse(added.stdout) as { link: { url: string } };
  const secret = new URL(link.url).hash.slice("#link=".length);
  const session = await post(`${operatorUrl}/api/v1/session/link`, { secret }, {});
  const cookie = session.headers.get("set-cookie")?.split(";")[0] ?? "";
  const made = await post(`${operatorUrl}/api/v1/keys`, { label: "test", permissions }, { Cookie: cookie });
  return ((await made.json()) as { key: string }).key;
}

async function post(url: string, body: unknown, headers: Record<string, string>): Promise<Response> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { ...OWN_PAGE, ...headers },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return answer;
}
