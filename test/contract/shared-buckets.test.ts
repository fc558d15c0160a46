import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import pino from "pino";

import { loadConfig } from "../../src/config/config.ts";
import { type RunningServer, startServer } from "../../src/http/server.ts";
import { runInTerminal } from "../support/cli.ts";
import { eventually } from "../support/eventually.ts";
import { type TestParley, startParley } from "../support/parley.ts";
import { TestRedis, findRedisServer } from "../support/redis-server.ts";

const MESSAGE = { botId: "shop", input: "where is my order" };
const CAPACITY = 20;
const PASSWORD = "s3cret";

/** What an operator sees of a server's metrics. */
async function gauge(server: RunningServer): Promise<string | undefined> {
  const text = await (await fetch(`${server.localOperatorUrl}/metrics`)).text();
  return /^parley_shared_buckets_up (\S+)$/m.exec(text)?.[1];
}

describe.skipIf(findRedisServer() === undefined)("three servers with --buckets", () => {
  let redis: TestRedis;
  let parley: TestParley;
  let servers: RunningServer[];
  let lines: Record<string, unknown>[];
  beforeAll(async () => void (redis = await TestRedis.start(["--requirepass", PASSWORD])));
  afterAll(() => redis[Symbol.asyncDispose]());

  beforeEach(async () => {
    await redis.kill();
    await redis.start();
    lines = [];
    parley = await startParley();
    const config = loadConfig({
      flags: {
        port: "0",
        operatorPort: "0",
        rateLimitCapacity: String(CAPACITY),
        rateLimitPerMinute: "0.001",
        trustProxy: "127.0.0.1",
      },
      env: { ...parley.env, PARLEY_BUCKETS: redis.url.replace("//", `//:${PASSWORD}@`) },
      readFile: () => "",
    });
    const log = pino(
      { level: "trace" },
      { write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>) },
    );
    servers = [];
    for (let i = 0; i < 3; i++) servers.push(await startServer(config, { log }));
  });
  afterEach(async () => {
    await Promise.all(servers.map((server) => server.close()));
    await parley[Symbol.asyncDispose]();
  });

  function send(server: RunningServer, token: string, address = "203.0.113.1"): Promise<Response> {
    return fetch(`${server.localUrl}/chat`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${token}`,
        "Content-Type": "application/json",
        "X-Forwarded-For": address,
      },
      body: JSON.stringify(MESSAGE),
    });
  }

  /** Sends as many messages as there may be at once to all of the servers in turn. @returns how often each status came */
  async function flood(token: string, addressOf = (_: number) => "203.0.113.1") {
    const responses = await Promise.all(
      Array.from({ length: 64 }, (_, number) => send(servers[number % 3]!, token, addressOf(number))),
    );
    return Object.groupBy(responses, ({ status }) => status);
  }

  test("let through what one bucket holds, and not a message more", async () => {
    const { 200: answered, 429: refused } = await flood(parley.token);
    expect([answered?.length, refused?.length]).toEqual([CAPACITY, 64 - CAPACITY]);
    expect(refused![0]!.headers.get("ratelimit")).toMatch(/^"caller";r=0;t=\d+$/);
    expect((await send(servers[0]!, parley.token, "203.0.113.2")).status).toBe(200);
  });

  test("take the addresses of an IPv6 /64 for one caller", async () => {
    const { 200: answered } = await flood(parley.token, (number) => `2001:db8:1:2::${number.toString(16)}`);
    expect(answered?.length).toBe(CAPACITY);
  });

  test("count failed authentications together", async () => {
    const { 401: told, 429: waiting } = await flood("parley_et_nobody");
    expect([told?.length, waiting?.length]).toEqual([30, 34]);
  });

  test("stay ready without the server of the buckets, each with its own, and say each turn once", async () => {
    await flood(parley.token);
    await redis.kill();
    await eventually(
      () => lines.filter(({ msg }) => String(msg).startsWith("token buckets are not shared")).length === 3,
    );
    for (const server of servers) {
      expect((await fetch(`${server.localUrl}/readyz`)).status).toBe(200);
      expect(await gauge(server)).toBe("0");
    }
    // Neither open nor shut: each has what its own bucket has left, of which it knows what it let through.
    const { 200: answered } = await flood(parley.token);
    expect(answered?.length).toBe(2 * CAPACITY);
    await redis.start();
    const shared = () => lines.filter(({ msg }) => String(msg).startsWith("token buckets are shared"));
    await eventually(() => shared().length === 6);
    for (const server of servers) expect(await gauge(server)).toBe("1");
    expect(lines.filter(({ msg }) => String(msg).startsWith("token buckets are not shared")).length).toBe(3);
    expect(JSON.stringify(lines)).not.toContain(PASSWORD);
  });

  test("note their settings without the password", async () => {
    const { stdout } = await runInTerminal(["audit", "changes", "--json"], {
      env: { ...parley.env },
    });
    expect(stdout).toContain("redis://***@127.0.0.1");
    expect(stdout).not.toContain(PASSWORD);
  });

  test("are told of by `parley doctor`, which tries the server, and shows no password", async () => {
    const examine = async () => {
      const env = { ...parley.env, PARLEY_BUCKETS: redis.url.replace("//", `//:${PASSWORD}@`) };
      const args = ["doctor", "--quick", "--json", "--port", "0", "--operator-port", "0"];
      const { stdout } = await runInTerminal(args, { env });
      expect(stdout).not.toContain(PASSWORD);
      const { findings } = JSON.parse(stdout) as {
        findings: { check: string; severity: string; message: string }[];
      };
      return findings.filter(({ check }) => check === "buckets");
    };
    expect(await examine()).toMatchObject([
      { severity: "fine", message: expect.stringContaining("answers in") },
    ]);
    await redis.kill();
    expect(await examine()).toMatchObject([
      { severity: "mend", message: expect.stringContaining("cannot be reached (ECONNREFUSED)") },
    ]);
  });
});

test("without --buckets no gauge says that a server of buckets is down", async () => {
  await using parley = await startParley();
  expect(await gauge(parley.server)).toBeUndefined();
});

test("a password on the command line is refused, and not repeated", async () => {
  const { exitCode, stderr } = await runInTerminal(["serve", "--buckets", `redis://:${PASSWORD}@127.0.0.1`]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("PARLEY_BUCKETS");
  expect(stderr).not.toContain(PASSWORD);
});
