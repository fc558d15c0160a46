import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import {
  BUCKET_PATIENCE,
  BucketConnection,
  bucketName,
} from "../../../../src/access/shared-buckets/bucket-connection.ts";
import {
  BucketServer,
  SharedBuckets,
  whyUnreachable,
} from "../../../../src/access/shared-buckets/bucket-server.ts";
import { TokenBuckets } from "../../../../src/access/token-bucket.ts";
import type { RateLimit } from "../../../../src/domain/bot.ts";
import { SecretUrl } from "../../../../src/domain/secret-url.ts";
import { eventually, HANG_MS } from "../../../support/eventually.ts";
import { countLooks, LOOK_EVERY_MS } from "../../../support/looks.ts";
import { findRedisServer, TestRedis } from "../../../support/redis-server.ts";

/** Regains a message in a day, so that none comes back during a test. */
const LIMIT: RateLimit = { capacity: 10, perMinute: 1 / 1440 };
const PASSWORD = "p@ss/w:rd#%";
/** 300 ms of looks, and one for the moment of each end. */
const MAX_LOOKS = 300 / LOOK_EVERY_MS + 2;

/** For servers that answer: on a machine that is held up they are late, and not gone. */
const PATIENT = { connectMs: HANG_MS, lateTicks: HANG_MS / LOOK_EVERY_MS };

interface Instance extends Disposable {
  server: BucketServer;
  buckets: SharedBuckets;
  /** What was logged, and what the gauge showed, in order. */
  said: { level: string; server: unknown; reason: unknown }[];
  shown: boolean[];
}

async function startInstance(url: string, patience = PATIENT): Promise<Instance> {
  const said: Instance["said"] = [];
  const shown: boolean[] = [];
  const say = (level: string) => (line: object) => said.push({ level, reason: undefined, ...line } as never);
  const server = new BucketServer({
    url: new SecretUrl(url),
    log: { info: say("info"), warn: say("warn") },
    onChange: (isUp) => shown.push(isUp),
    patience,
  });
  await server.start();
  const own = new TokenBuckets({ maxCallers: 10_000, now: () => performance.now(), hashKey: [1, 1] });
  const buckets = new SharedBuckets({ kind: "caller", server, own });
  return { server, buckets, said, shown, [Symbol.dispose]: () => server[Symbol.dispose]() };
}

/** Some callers at a time take `takes` messages in all; the callers' keys go round. @returns how many were let through. */
async function takeMany(
  instances: readonly Instance[],
  { takes, keys, callers = 64 }: { takes: number; keys: number; callers?: number },
): Promise<number> {
  let [next, admitted] = [0, 0];
  const call = async () => {
    while (next < takes) {
      const number = next++;
      const { buckets } = instances[number % instances.length]!;
      if ((await buckets.take(`caller ${number % keys}`, LIMIT)).allowed) admitted++;
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  return admitted;
}

/** What the server keeps of a bucket. */
async function storedBucket({ url }: TestRedis, name: string): Promise<{ debt: number; atMs: number }> {
  const client = new Bun.RedisClient(url);
  const { buffer, byteOffset } = (await client.getBuffer(name))!;
  client.close();
  const view = new DataView(buffer, byteOffset);
  return { debt: view.getFloat64(0, true), atMs: view.getFloat64(8, true) };
}

const hasServer = findRedisServer() !== undefined;

describe.skipIf(!hasServer)("buckets on a server of Redis", () => {
  let redis: TestRedis;
  const instances: Instance[] = [];
  const start = async (patience = PATIENT) => {
    const instance = await startInstance(redis.url, patience);
    instances.push(instance);
    return instance;
  };
  beforeEach(async () => void (redis = await TestRedis.start()));
  afterEach(async () => {
    for (const instance of instances.splice(0)) instance[Symbol.dispose]();
    await redis[Symbol.asyncDispose]();
  });

  test("are exact to the token over three instances under 64 callers", async () => {
    const three = [await start(), await start(), await start()];
    expect(await takeMany(three, { takes: 25_000, keys: 1000 })).toBe(10_000);
    expect(three.map(({ shown }) => shown)).toEqual([[true], [true], [true]]);
  });

  test("regain exactly what time brings, by the clock of the server", async () => {
    const three = [await start(), await start(), await start()];
    const limit: RateLimit = { capacity: 500, perMinute: 6000 };
    const unitsPerMs = 6000 * 1000;
    let admitted = 0;
    const take = async ({ buckets }: Instance) => {
      if ((await buckets.take("a", limit)).allowed) admitted++;
    };
    await take(three[0]!);
    const first = await storedBucket(redis, bucketName("caller", "a"));
    // So many at once that the bucket is never full again.
    await Promise.all(Array.from({ length: 300 }, () => take(three[0]!)));
    const startedAt = performance.now();
    const call = async (_: unknown, caller: number) => {
      while (performance.now() - startedAt < 1000) await take(three[caller % 3]!);
    };
    await Promise.all(Array.from({ length: 64 }, call));
    const last = await storedBucket(redis, bucketName("caller", "a"));
    expect(admitted).toBeGreaterThan(500);
    // The first message was wholly regained before the others came, if they came late.
    const regained = (last.atMs - first.atMs) * unitsPerMs;
    const unused = admitted * 60_000_000 - last.debt;
    expect(regained - unused).toBeWithin(0, 60_000_000);
  });

  test("are gone from the server when they are full", async () => {
    const { buckets } = await start();
    const names = async () => ((await redis.send(["KEYS", "parley:caller:*"])) as [string[]])[0];
    await buckets.take("later", { capacity: 10, perMinute: 0.1 });
    await buckets.take("soon", { capacity: 10, perMinute: 600 });
    const [ttl] = await redis.send(["PTTL", bucketName("caller", "later")]);
    expect(ttl).toBeWithin(1, 600_001);
    await eventually(async () => (await names()).length === 1);
    expect(await names()).toEqual([bucketName("caller", "later")]);
  });

  test("hold no caller's address in clear", async () => {
    const { buckets } = await start();
    await buckets.take("et_1 203.0.113.7", LIMIT);
    const [names] = (await redis.send(["KEYS", "*"])) as [string[]];
    const [value] = await redis.send(["GET", names.find((name) => name.startsWith("parley:caller:"))!]);
    expect(JSON.stringify([names, value])).not.toContain("203.0.113");
  });

  test("go on when the scripts of the server are flushed under load", async () => {
    const three = [await start(), await start(), await start()];
    const taking = takeMany(three, { takes: 25_000, keys: 1000 });
    for (let i = 0; i < 5; i++) await redis.send(["SCRIPT", "FLUSH"]);
    expect(await taking).toBe(10_000);
    expect(three.flatMap(({ shown }) => shown)).toEqual([true, true, true]);
  });

  test("are the process's own at once when the server is killed under load, and shared again by themselves", async () => {
    const instance = await start();
    let isEnded = false;
    let admitted = 0;
    let taken = 0;
    const calls = Array.from({ length: 64 }, () => 0);
    const call = async (_: unknown, caller: number) => {
      while (!isEnded) {
        if ((await instance.buckets.take(`caller ${caller}`, LIMIT)).allowed) admitted++;
        calls[caller]! += 1;
        taken++;
        await Bun.sleep(1);
      }
    };
    /** Until every caller has emptied its bucket, and was refused. */
    const settled = () => {
      const before = [...calls];
      return eventually(() => calls.every((now, caller) => now >= before[caller]! + LIMIT.capacity + 2));
    };
    const calling = Promise.all(Array.from({ length: 64 }, call));
    await settled();
    const before = admitted;
    await redis.kill();
    const takenBefore = taken;
    // No caller waits for the server to come back.
    await eventually(() => !instance.server.isUp && taken > takenBefore + 64);
    await settled();
    const during = admitted;
    await redis.start();
    await eventually(() => instance.server.isUp);
    await settled();
    isEnded = true;
    await calling;
    // Own buckets know what was let through; the server, started anew, has full ones.
    expect([before, during, admitted]).toEqual([640, 640, 1280]);
    expect(instance.said.map(({ level }) => level)).toEqual(["info", "warn", "info"]);
    expect(instance.shown).toEqual([true, false, true]);
  }, 120_000);

  test.each([1, 5000])(
    "of %p messages at once on a server that hangs none waits for longer than 300 ms",
    async (messages) => {
      const instance = await start(BUCKET_PATIENCE);
      redis.freeze();
      let states: { allowed: boolean }[] = [];
      const looks = await countLooks(async () => {
        const take = async (_: unknown, caller: number) => instance.buckets.take(`caller ${caller}`, LIMIT);
        states = await Promise.all(Array.from({ length: messages }, take));
      });
      expect(looks).toBeLessThanOrEqual(MAX_LOOKS);
      expect(states.every(({ allowed }) => allowed)).toBe(true);
      expect(instance.said.at(-1)).toMatchObject({ level: "warn", reason: "no answer in time" });
      const looksOfOthers = await countLooks(async () => {
        for (let i = 0; i < 100; i++) await instance.buckets.take("another", LIMIT);
      });
      expect(looksOfOthers).toBe(0);
      await Bun.sleep(1500);
      expect(instance.shown).toEqual([true, false]);
      redis.thaw();
      await eventually(() => instance.server.isUp);
      expect(instance.shown).toEqual([true, false, true]);
    },
    2 * HANG_MS,
  );

  test("that nobody uses show within two seconds that their server hangs", async () => {
    const instance = await start(BUCKET_PATIENCE);
    redis.freeze();
    const looks = await countLooks(() => eventually(() => !instance.server.isUp));
    expect(looks).toBeLessThanOrEqual(2000 / LOOK_EVERY_MS);
    expect(instance.shown).toEqual([true, false]);
  });

  test("of a server that is not there at the start count for each process, and are shared once it is", async () => {
    await redis.kill();
    const instance = await start();
    expect(await takeMany([instance], { takes: 50, keys: 1 })).toBe(10);
    expect(instance.said).toMatchObject([
      { level: "warn", reason: "its port cannot be reached (ECONNREFUSED)" },
    ]);
    await redis.start();
    await eventually(() => instance.server.isUp);
    expect(instance.said.map(({ level }) => level)).toEqual(["warn", "info"]);
  });

  test.each([
    ["takes no writes", ["REPLICAOF", "127.0.0.1", "1"], "READONLY"],
    ["is full", ["CONFIG", "SET", "maxmemory", "1"], "OOM"],
  ] as const)("count for each process while the server %s", async (_, command, reason) => {
    const instance = await start();
    await redis.send(command);
    expect((await instance.buckets.take("a", LIMIT)).allowed).toBe(true);
    expect(instance.server.isUp).toBe(false);
    expect(String(instance.said.at(-1)!.reason)).toContain(reason);
    await Bun.sleep(1500);
    expect(instance.shown).toEqual([true, false]);
  });
});

test("a server that ends every connection is tried about once a second, and said to be down once", async () => {
  /** A second, less the spread. */
  const leastBetweenTriesMs = 750;
  let connections = 0;
  const listener = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(socket) {
        connections++;
        socket.end();
      },
      data() {},
    },
  });
  using instance = await startInstance(`redis://127.0.0.1:${listener.port}`);
  connections = 0;
  const startedAt = performance.now();
  const calling = Array.from({ length: 3000 }, async (_, number) => {
    await Bun.sleep(number);
    return instance.buckets.take("a", LIMIT);
  });
  await Promise.all(calling);
  listener.stop(true);
  const mostTries = Math.ceil((performance.now() - startedAt) / leastBetweenTriesMs) + 1;
  expect(connections).toBeWithin(1, mostTries + 1);
  expect(instance.said.map(({ level }) => level)).toEqual(["warn"]);
});

test("an instance that is closed while it connects holds nothing open", async () => {
  const connecting = Promise.withResolvers<void>();
  const socket = { open: () => connecting.resolve(), data() {} };
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket });
  const log = { info() {}, warn() {} };
  const url = new SecretUrl(`redis://127.0.0.1:${listener.port}`);
  const server = new BucketServer({ url, log, onChange() {}, patience: PATIENT });
  let hasStarted = false;
  const starting = server.start().then(() => (hasStarted = true));
  await connecting.promise;
  expect(hasStarted).toBe(false);
  server[Symbol.dispose]();
  // The listener never answers: only the closing ends the attempt before its patience does.
  await starting;
  listener.stop(true);
});

async function whyNot(url: string): Promise<string> {
  const address = new SecretUrl(url);
  using connection = new BucketConnection(address, PATIENT);
  try {
    await connection.open();
  } catch (error) {
    return whyUnreachable(address, error);
  }
  throw new Error("it can be used");
}

describe.skipIf(!hasServer)("a server with a password", () => {
  let redis: TestRedis;
  beforeAll(async () => void (redis = await TestRedis.start(["--requirepass", PASSWORD])));
  afterAll(() => redis[Symbol.asyncDispose]());
  const withPassword = (password: string, rest = "") =>
    redis.url.replace("//", `//:${encodeURIComponent(password)}@`) + rest;

  test("is used with it, in the database that is named", async () => {
    using instance = await startInstance(withPassword(PASSWORD, "/3"));
    await instance.buckets.take("a", LIMIT);
    expect(instance.shown).toEqual([true]);
    const client = new Bun.RedisClient(withPassword(PASSWORD, "/3"));
    expect(await client.send("EXISTS", [bucketName("caller", "a")])).toBe(1);
    client.close();
  });

  test.each([
    ["another password", () => withPassword("s3cret")],
    ["none", () => redis.url],
  ])("is not used with %s; the log says why, and no password", async (_, url) => {
    using instance = await startInstance(url());
    expect((await instance.buckets.take("a", LIMIT)).allowed).toBe(true);
    expect(instance.said).toMatchObject([
      { level: "warn", reason: expect.stringContaining("look at the password") },
    ]);
    expect(JSON.stringify(instance.said)).not.toContain("s3cret");
  });

  test("is used by a user that has no more rights than the manual says", async () => {
    const manual = readFileSync(join(import.meta.dir, "../../../../docs/operating/postgresql.md"), "utf8");
    const command = /^ACL SETUSER .*$/m.exec(manual)![0];
    const admin = new Bun.RedisClient(withPassword(PASSWORD));
    await admin.send("ACL", command.replace("PASSWORD", "s3cret").split(" ").slice(1));
    await admin.send("SCRIPT", ["FLUSH"]);
    admin.close();
    using instance = await startInstance(redis.url.replace("//", "//parley:s3cret@") + "/1");
    expect(await takeMany([instance], { takes: 100, keys: 1 })).toBe(10);
    expect([instance.shown, instance.said.map(({ level }) => level)]).toEqual([[true], ["info"]]);
  });

  test("says so where it has no such database", async () => {
    expect(await whyNot(withPassword(PASSWORD, "/999"))).toContain("DB index is out of range");
  });
});

const canMakeCertificates = Bun.which("openssl") !== null;

describe.skipIf(!hasServer || !canMakeCertificates)("a server with TLS", () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-tls-"));
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  let redis: TestRedis;
  beforeAll(async () => {
    const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
    const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];
    const files = ["-keyout", key, "-out", certificate];
    Bun.spawnSync(["openssl", "req", "-x509", "-nodes", ...curve, ...files, ...subject, "-days", "2"]);
    const tls = ["--tls-cert-file", certificate, "--tls-key-file", key, "--tls-auth-clients", "no"];
    redis = await TestRedis.start(["--port", "0", "--tls-port", "PORT", ...tls]);
  });
  afterAll(async () => {
    await redis[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  /** Connects in a process that trusts the certificate. */
  function connectTrusting(host: string): string {
    const script = join(import.meta.dir, "../../../support/connect-buckets.ts");
    const { stdout, stderr } = Bun.spawnSync([process.execPath, script, `rediss://${host}:${redis.port}`], {
      env: { ...process.env, NODE_EXTRA_CA_CERTS: certificate },
    });
    return stdout.toString() + stderr.toString();
  }

  test("is used where its certificate is trusted, and names its host", () => {
    expect(connectTrusting("localhost")).toBe("connected\n");
    expect(connectTrusting("127.0.0.1")).toContain("look at the password, and at TLS");
  });

  test("is refused where nobody vouches for its certificate, and without TLS", async () => {
    expect(await whyNot(`rediss://localhost:${redis.port}`)).toContain("look at the password, and at TLS");
    expect(await whyNot(`redis://localhost:${redis.port}`)).toContain("look at the password, and at TLS");
  });
});
