import { tmpdir } from "node:os";

import { EXECUTABLE } from "../../support/executable.ts";

/** A server to be measured, in a process of its own. */
export interface BenchServer extends AsyncDisposable {
  url: string;
  pid: number;
  /** Milliseconds from the start of the process to its first 200. */
  startMs: number;
  /** Kills it, which is the closest to a power cut for a process. */
  kill(): Promise<void>;
}

interface ServeOptions {
  env?: Record<string, string>;
  logLevel?: "info" | "warn" | "silent";
  limits?: typeof LIMITS;
  /** Port of the operator listener; by default a free one. */
  operatorPort?: number;
}

/** Limits that no load reaches. */
const LIMITS = { rateLimitCapacity: "1000000", rateLimitPerMinute: "1000000" };
/** Time for a start; a folder with ten million messages may have to be migrated. */
const START_TIMEOUT_MS = 120_000;

/** The compiled executable on a data folder. */
export function serveParley(
  data: string,
  { env = {}, logLevel = "warn", limits = LIMITS, operatorPort = 0 }: ServeOptions = {},
): Promise<BenchServer> {
  const { rateLimitCapacity, rateLimitPerMinute } = limits;
  const flags = ["--rate-limit-capacity", rateLimitCapacity, "--rate-limit-per-minute", rateLimitPerMinute];
  const ports = ["--port", "0", "--operator-port", String(operatorPort)];
  return start([EXECUTABLE, "serve", "--data", data, "--log-level", logLevel, ...ports, ...flags], env);
}

/** The same pipeline from the sources, with a store that keeps conversations in memory and writes nothing. */
export function serveStoreless(data: string): Promise<BenchServer> {
  const flags = { data, logLevel: "warn", port: "0", operatorPort: "0", ...LIMITS };
  return startScript("storeless-server.ts", JSON.stringify(flags));
}

/** A minimal server that answers `body` to everything. */
export function serveBare(body: string): Promise<BenchServer> {
  return startScript("bare-server.ts", body);
}

/** A minimal model server. */
export function serveInstantModel(): Promise<BenchServer> {
  return startScript("instant-model.ts");
}

function startScript(script: string, ...args: string[]): Promise<BenchServer> {
  return start([process.execPath, `${import.meta.dir}/${script}`, ...args], {});
}

/** The server's address is the first one that the process prints. */
async function start(command: string[], env: Record<string, string>): Promise<BenchServer> {
  const startedAt = performance.now();
  const child = Bun.spawn(command, {
    env: { PATH: "/usr/bin:/bin", HOME: tmpdir(), ...env },
    stdin: "ignore",
    // No pipe: an unread pipe would stop a server that logs.
    stdout: "ignore",
    stderr: "pipe",
  });
  const url = await readAddress(child.stderr);
  const answer = await fetch(`${url}/healthz`);
  if (!answer.ok && answer.status !== 404) throw new Error(`answered ${answer.status}`);
  const startMs = performance.now() - startedAt;
  const end = async (signal: "SIGTERM" | "SIGKILL") => {
    child.kill(signal);
    await child.exited;
  };
  return {
    url,
    pid: child.pid,
    startMs,
    kill: () => end("SIGKILL"),
    [Symbol.asyncDispose]: () => end("SIGTERM"),
  };
}

async function readAddress(output: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let said = "";
  const deadline = Bun.sleep(START_TIMEOUT_MS).then(() => {
    throw new Error(`no address after ${START_TIMEOUT_MS} ms: ${said}`);
  });
  const read = async () => {
    for await (const chunk of output) {
      said += decoder.decode(chunk, { stream: true });
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
      if (url !== undefined) return url;
    }
    throw new Error(`the server ended: ${said}`);
  };
  return Promise.race([read(), deadline]);
}
