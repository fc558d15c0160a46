import { secureRandomBytes } from "../../src/domain/ids.ts";
import type { OperatorPermission, Role } from "../../src/domain/operator/access.ts";
import type { RunningServer } from "../../src/http/server.ts";
import { issueSignInLink } from "../../src/operate/sign-in.ts";
import type { Store } from "../../src/store/interface/store.ts";

/** A server with its store. */
interface OperatedServer {
  store: Store;
  server: Pick<RunningServer, "localOperatorUrl">;
}

/** Headers that a browser sends with the console's own requests. */
export const OWN_PAGE = { "Sec-Fetch-Site": "same-origin", "Content-Type": "application/json" };

interface AskOptions {
  body?: unknown;
  headers?: Record<string, string>;
  /** Aborting it closes the connection. */
  signal?: AbortSignal;
}

/** A user of the operator API, with a session or a key. */
export class TestOperator {
  readonly #url: string;
  readonly #credentials: Record<string, string>;

  constructor({ server }: Pick<OperatedServer, "server">, credentials: Record<string, string>) {
    this.#url = server.localOperatorUrl;
    this.#credentials = credentials;
  }

  /** The cookie, or the header with the key. */
  get credentials(): Record<string, string> {
    return this.#credentials;
  }

  ask(method: string, path: string, { body, headers = {}, signal }: AskOptions = {}): Promise<Response> {
    return fetch(`${this.#url}/api/v1${path}`, {
      method,
      headers: { ...OWN_PAGE, ...this.#credentials, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  }

  /** The JSON of an answer, which must be a success. */
  async json<Answer = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Answer> {
    const response = await this.ask(method, path, { body });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (response.status === 204 ? undefined : await response.json()) as Answer;
  }
}

/** A user without a session or a key. */
export function nobody(parley: Pick<OperatedServer, "server">): TestOperator {
  return new TestOperator(parley, {});
}

/** The secret of a new one-time link. */
export async function linkSecretOf(parley: OperatedServer, name: string): Promise<string> {
  const { store } = parley;
  const parts = { store, now: Date.now, randomBytes: secureRandomBytes, operatorUrl: "http://localhost" };
  const link = await issueSignInLink(parts, name);
  return new URL(link!.url).hash.slice("#link=".length);
}

/** Adds an operator if the name is new, and signs in by a link. */
export async function signIn(
  parley: OperatedServer,
  name: string,
  role: Role = "owner",
): Promise<TestOperator> {
  await parley.store.operators.add({ name, role });
  const response = await nobody(parley).ask("POST", "/session/link", {
    body: { secret: await linkSecretOf(parley, name) },
  });
  if (!response.ok) throw new Error(await response.text());
  return new TestOperator(parley, { Cookie: cookieOf(response) });
}

/** The cookie of an answer, as a browser returns it. */
export function cookieOf(response: Response): string {
  return response.headers.get("set-cookie")?.split(";")[0] ?? "";
}

/** A user with a key made by `maker`. */
export async function keyOf(
  parley: OperatedServer,
  maker: TestOperator,
  permissions: readonly OperatorPermission[],
): Promise<TestOperator> {
  const { key } = await maker.json<{ key: string }>("POST", "/keys", { label: "test", permissions });
  return new TestOperator(parley, { Authorization: `Bearer ${key}` });
}
