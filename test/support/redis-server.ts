import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { eventually } from "./eventually.ts";
import { aptInstall, findProgram } from "./programs.ts";

/** The program to test with: `REDIS_SERVER_PATH`, or the first one installed. */
export const findRedisServer = (): string | undefined =>
  findProgram("REDIS_SERVER_PATH", ["redis-server", "valkey-server"]);

/** Installs it from the distribution if that needs no password. */
export function installRedisServer(): string | undefined {
  return aptInstall("redis-server") ? findRedisServer() : undefined;
}

/** A test's own Redis or Valkey server, on a port that stays the same across restarts. */
export class TestRedis implements AsyncDisposable {
  readonly port: number;
  readonly #folder: string;
  readonly #args: readonly string[];
  #process: Bun.Subprocess | undefined;

  private constructor(port: number, args: readonly string[]) {
    this.port = port;
    this.#args = args;
    this.#folder = mkdtempSync(join(tmpdir(), "parley-redis-"));
  }

  /** Starts one without persistence; `args` are further options. */
  static async start(args: readonly string[] = []): Promise<TestRedis> {
    const redis = new TestRedis(await freePort(), args);
    await redis.start();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts it again after `kill`, empty. */
  async start(): Promise<void> {
    const program = findRedisServer();
    if (program === undefined) throw new Error("there is no redis-server here");
    const port = this.#args.includes("--tls-port") ? [] : ["--port", String(this.port)];
    const plain = ["--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
    const args = this.#args.map((arg) => (arg === "PORT" ? String(this.port) : arg));
    this.#process = Bun.spawn([program, ...port, ...plain, ...args], {
      cwd: this.#folder,
      stdio: ["ignore", "ignore", "ignore"],
    });
    await untilListening(this.port, this.#process);
  }

  async kill(): Promise<void> {
    this.#process?.kill("SIGKILL");
    await this.#process?.exited;
  }

  freeze(): void {
    this.#process?.kill("SIGSTOP");
  }

  thaw(): void {
    this.#process?.kill("SIGCONT");
  }

  /** Sends commands on a separate connection, and returns the replies. */
  async send(...commands: readonly (readonly [string, ...string[]])[]): Promise<unknown[]> {
    const client = new Bun.RedisClient(this.url);
    try {
      const replies: unknown[] = [];
      for (const [command, ...args] of commands) replies.push(await client.send(command, args));
      return replies;
    } finally {
      client.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.thaw();
    await this.kill();
    rmSync(this.#folder, { recursive: true });
  }
}

async function untilListening(port: number, child: Bun.Subprocess): Promise<void> {
  await eventually(() => {
    if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode}`);
    return isListening(port);
  });
}

async function isListening(port: number): Promise<boolean> {
  const nothing = { data() {} };
  return Bun.connect({ hostname: "127.0.0.1", port, socket: nothing }).then(
    (socket) => {
      socket.end();
      return true;
    },
    () => false,
  );
}

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
