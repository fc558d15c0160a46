import { loadConfig } from "../../src/config/config.ts";
import { startServer } from "../../src/http/server.ts";
import type { LeaseTimes } from "../../src/store/lease-observer.ts";
import type { TestStore } from "./store-under-test.ts";

interface ServerOptions {
  /** Where the store is. */
  store: TestStore["flags"];
  /** Address of the model server named `local`. */
  modelUrl: string;
  lease: LeaseTimes;
  /** Absent: any free port. */
  port?: number;
  operatorPort?: number;
}

/** A server in a process of its own, from the sources, which can be frozen and killed. */
export interface ServerProcess extends AsyncDisposable {
  url: string;
  process: Bun.Subprocess<"ignore", "pipe", "inherit">;
}

/** Starts a server on a data folder, and waits until it listens. */
export async function startServerProcess(options: ServerOptions): Promise<ServerProcess> {
  const child = Bun.spawn([process.execPath, import.meta.path, JSON.stringify(options)], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  const { value } = await child.stdout.getReader().read();
  if (!value) throw new Error("the server ended before it listened");
  return {
    url: new TextDecoder().decode(value).trim(),
    process: child,
    async [Symbol.asyncDispose]() {
      child.kill("SIGCONT");
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}

async function serve({ store, modelUrl, lease, port = 0, operatorPort = 0 }: ServerOptions): Promise<void> {
  const config = loadConfig({
    flags: {
      ...store,
      port: String(port),
      operatorPort: String(operatorPort),
      rateLimitCapacity: "100000",
      logLevel: "silent",
      models: JSON.stringify({ local: { baseUrl: modelUrl, model: "tiny" } }),
    },
    env: {},
    readFile: () => "",
  });
  const server = await startServer(config, { lease });
  process.on("SIGTERM", () => void server.close().then(() => process.exit(0)));
  process.stdout.write(`${server.localUrl}\n`);
}

if (import.meta.main) await serve(JSON.parse(process.argv[2]!) as ServerOptions);
