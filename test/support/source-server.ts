import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MAIN = join(import.meta.dir, "../../src/main.ts");
const START_TIMEOUT_MS = 15_000;

/** A `parley serve` of the sources, as a process of its own in an empty folder. */
export interface SourceServer extends AsyncDisposable {
  url: string;
  operatorUrl: string;
  process: Bun.Subprocess;
}

interface SourceServerOptions {
  args?: readonly string[];
  /** Descriptors of this process; closed or not, they are left to the caller. */
  stdout?: number | "ignore";
  stderr?: number | "ignore";
  /** Words that run before the program, such as `prlimit`. */
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
  const startedAt = performance.now();
  for (;;) {
    if (child.exitCode !== null) throw new Error(`serve ended with ${child.exitCode}`);
    if (performance.now() - startedAt > START_TIMEOUT_MS) throw new Error("serve did not answer");
    const isAnswering = await fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isAnswering) return;
    await Bun.sleep(20);
  }
}

function freePort(): number {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const { port } = server;
  void server.stop(true);
  return port ?? 0;
}
