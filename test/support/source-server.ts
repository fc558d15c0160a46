import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { eventually } from "./eventually.ts";

const MAIN = join(import.meta.dir, "../../src/main.ts");

/** A `parley serve` of the sources, as a process of its own in an empty folder. */
export interface SourceServer extends AsyncDisposable {
  url: string;
  operatorUrl: string;
  process: Bun.Subprocess;
}

interface SourceServerOptions {
  args?: readonly string[];
  /** File descriptors of this process; the caller closes them. */
  stdout?: number | "ignore";
  stderr?: number | "ignore";
  /** Words before the program, such as `prlimit`. */
  wrapper?: readonly string[];
}

/** Starts `parley serve` and waits for its first 200. */
export async function serveSources({
  args = [],
  stdout = "ignore",
  stderr = "ignore",
  wrapper = [],
}: SourceServerOptions = {}): Promise<SourceServer> {
  const folder = mkdtempSync(join(tmpdir(), "parley-source-"));
  const [port, operatorPort] = [freePort(), freePort()];
  const ports = ["--port", String(port), "--operator-port", String(operatorPort)];
  const child = Bun.spawn([...wrapper, process.execPath, MAIN, "serve", ...ports, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder },
    stdio: ["ignore", stdout, stderr],
  });
  const url = `http://127.0.0.1:${port}`;
  await untilAnswering(url, child);
  return {
    url,
    operatorUrl: `http://127.0.0.1:${operatorPort}`,
    process: child,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
      rmSync(folder, { recursive: true });
    },
  };
}

async function untilAnswering(url: string, child: Bun.Subprocess): Promise<void> {
  await eventually(() => {
    if (child.exitCode !== null) throw new Error(`serve ended with ${child.exitCode}`);
    return fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  });
}

function freePort(): number {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const { port } = server;
  void server.stop(true);
  return port ?? 0;
}
