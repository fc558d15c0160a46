import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { HANG_MS } from "./eventually.ts";
import { createEmptyDatabase } from "./postgres-server.ts";
import { isOnPostgres } from "./store-under-test.ts";

export const EXECUTABLE = join(import.meta.dir, "../../dist/parley");

export interface CommandResult {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** An empty folder, outside the repository. */
export function emptyFolder(): string {
  return mkdtempSync(join(tmpdir(), "parley-alone-"));
}

/** On PostgreSQL, the database of a folder's commands, created with the first of them. */
const databases = new Map<string, Promise<{ url: string }>>();

async function storeEnvironment(folder: string): Promise<Record<string, string>> {
  if (!isOnPostgres) return {};
  const known = databases.get(folder) ?? createEmptyDatabase();
  databases.set(folder, known);
  return { PARLEY_STORE: (await known).url };
}

/** The environment of a machine without this repository. */
function bareEnvironment(extra: Record<string, string> = {}) {
  return { PATH: "/usr/bin:/bin", HOME: tmpdir(), ...extra };
}

/** Runs the compiled executable to its end. */
export async function runExecutable(
  args: readonly string[],
  { cwd, env, stdin }: { cwd: string; env?: Record<string, string>; stdin?: string },
): Promise<CommandResult> {
  requireExecutable();
  const child = Bun.spawn([EXECUTABLE, ...args], {
    cwd,
    env: bareEnvironment({ ...(await storeEnvironment(cwd)), ...env }),
    stdin: stdin === undefined ? "ignore" : new Blob([stdin]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { exitCode: await child.exited, stdout, stderr };
}

/** A `serve` of the compiled executable, ready for requests. */
export interface ServingExecutable extends AsyncDisposable {
  url: string;
  operatorUrl: string;
  process: Bun.Subprocess<"ignore", "pipe", "pipe">;
  /** Milliseconds from the start of the process to its first 200. */
  startMs: number;
}

/** Starts `serve` in `cwd` on free ports and waits for its first 200. */
export async function serveExecutable(
  cwd: string,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<ServingExecutable> {
  requireExecutable();
  const storeEnv = await storeEnvironment(cwd);
  const [port, operatorPort] = [freePort(), freePort()];
  const startedAt = performance.now();
  const child = Bun.spawn(
    [EXECUTABLE, "serve", "--port", String(port), "--operator-port", String(operatorPort), ...args],
    { cwd, env: bareEnvironment({ ...storeEnv, ...env }), stdin: "ignore", stdout: "pipe", stderr: "pipe" },
  );
  const url = `http://127.0.0.1:${port}`;
  while (!(await answers(`${url}/healthz`))) {
    if (child.exitCode !== null) throw new Error(`serve ended: ${await new Response(child.stderr).text()}`);
    if (performance.now() - startedAt > HANG_MS) throw new Error("serve did not answer");
    await Bun.sleep(1);
  }
  return {
    url,
    operatorUrl: `http://127.0.0.1:${operatorPort}`,
    process: child,
    startMs: performance.now() - startedAt,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}

/** A port that nobody listens on. */
export function freePort(): number {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const { port } = server;
  void server.stop(true);
  return port ?? 0;
}

function requireExecutable(): void {
  if (!existsSync(EXECUTABLE)) throw new Error("dist/parley is not there; run `npm run build` first");
}
