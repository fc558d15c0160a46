import { describe, expect, test } from "bun:test";
import { closeSync, copyFileSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";

import type { ServerHealth } from "../../src/domain/operator/server.ts";
import type { Store } from "../../src/store/interface/store.ts";
import { Sqlite } from "../../src/store/sqlite/driver.ts";
import { eventually } from "../support/eventually.ts";
import type { DiskOrder } from "../support/failing-disk.ts";
import { signIn } from "../support/operators.ts";
import { type TestParley, startParley } from "../support/parley.ts";
import { isOnPostgres } from "../support/store-under-test.ts";

type Line = Record<string, unknown>;
const FATAL = 60;
const WARNING = 40;

const fatalOf = (lines: readonly Line[]) => lines.filter(({ level }) => level === FATAL);
const metricsOf = async ({ server }: TestParley) => (await fetch(`${server.operatorUrl}/metrics`)).text();

async function expectUnavailable(response: Response): Promise<void> {
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ code: "STORAGE_UNAVAILABLE" });
  expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
}

/** Zeroes the first page of a table, as a disk may. */
function wipe(table: string): (store: Store) => void {
  return ({ file }) => {
    const db = new Sqlite(file);
    db.pragma("wal_checkpoint(TRUNCATE)");
    const page = Number(db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?").pluck().get(table));
    const bytes = Number(db.pragma("page_size", { simple: true }));
    db.close();
    const descriptor = openSync(file!, "r+");
    writeSync(descriptor, new Uint8Array(bytes), 0, bytes, (page - 1) * bytes);
    closeSync(descriptor);
  };
}

const CHANGES: [string, (file: string) => void][] = [
  ["whose folder is moved", (file) => renameSync(dirname(file), `${dirname(file)}-moved`)],
  ["that is deleted", (file) => rmSync(file)],
  ["that is replaced", (file) => (copyFileSync(file, `${file}.new`), renameSync(`${file}.new`, file))],
  ["whose log is deleted", (file) => rmSync(`${file}-wal`)],
];

describe.skipIf(isOnPostgres)("a database", () => {
  for (const [name, change] of CHANGES) {
    test(`${name} under a running server ends acknowledgements, with one fatal line`, async () => {
      const lines: Line[] = [];
      await using parley = await startParley({ onLog: (line) => lines.push(line) });
      const operator = await signIn(parley, "ann");
      await parley.say("hello");
      change(parley.store.file!);
      await expectUnavailable(await parley.chat({ botId: "shop", input: "hello" }));
      await expectUnavailable(await parley.chat({ botId: "shop", input: "hello again" }));
      await expectUnavailable(await fetch(`${parley.url}/readyz`));
      expect((await fetch(`${parley.url}/healthz`)).status).toBe(200);
      const { ready, findings } = await operator.json<ServerHealth>("GET", "/health");
      expect(ready).toBe(false);
      expect(findings).toContainEqual({
        check: "storage",
        severity: "broken",
        message: expect.stringContaining(parley.store.file!),
        cure: expect.any(String),
      });
      // Time for the poll of the registry to fall over it as well.
      await Bun.sleep(500);
      expect(fatalOf(lines)).toHaveLength(1);
      expect(fatalOf(lines)[0]!["msg"]).toMatch(/Nothing is acknowledged any more\. .*Stop this server/);
      expect(await metricsOf(parley)).toContain('parley_storage_failed{kind="moved"} 1');
    }, 120_000);
  }

  test("that is moved while nobody writes is noticed within a second or so", async () => {
    const lines: Line[] = [];
    await using parley = await startParley({ onLog: (line) => lines.push(line) });
    const folder = dirname(parley.store.file!);
    renameSync(folder, `${folder}-moved`);
    await eventually(() => fatalOf(lines).length > 0);
    renameSync(`${folder}-moved`, folder);
    await expectUnavailable(await fetch(`${parley.url}/readyz`));
  }, 120_000);

  test("that is moved between two looks at it does not fail health", async () => {
    await using parley = await startParley();
    const operator = await signIn(parley, "ann");
    // Asked a moment ago, readiness does not write again.
    expect((await fetch(`${parley.url}/readyz`)).status).toBe(200);
    renameSync(parley.dataDir, `${parley.dataDir}-moved`);
    const { findings } = await operator.json<ServerHealth>("GET", "/health");
    renameSync(`${parley.dataDir}-moved`, parley.dataDir);
    expect(findings).toContainEqual({
      check: "data-folder",
      severity: "broken",
      message: expect.stringContaining(parley.dataDir),
      cure: expect.any(String),
    });
  }, 120_000);

  test("that another process keeps from being written is named by health until the next write", async () => {
    await using parley = await startParley();
    const operator = await signIn(parley, "ann");
    const storage = async () => {
      const { findings } = await operator.json<ServerHealth>("GET", "/health");
      return findings.find(({ check }) => check === "storage");
    };
    const other = new Sqlite(parley.store.file);
    other.exec("BEGIN IMMEDIATE");
    await expectUnavailable(await parley.chat({ botId: "shop", input: "hello" }));
    expect(await storage()).toMatchObject({
      severity: "broken",
      message: expect.stringMatching(/latest write was not stored \(SQLITE_BUSY/),
    });
    other.exec("ROLLBACK");
    other.close();
    await parley.say("hello");
    expect(await storage()).toMatchObject({ severity: "fine" });
  }, 120_000);

  test("on a network file system is warned of at the start", async () => {
    const lines: Line[] = [];
    await using parley = await startParley({
      onLog: (line) => lines.push(line),
      parts: { fileSystemOf: () => "NFS" },
    });
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: WARNING,
        msg: expect.stringContaining(`${parley.dataDir} is on a network file system (NFS)`),
      }),
    );
  });

  test("with pages of zeros is found by a check in the background", async () => {
    const lines: Line[] = [];
    await using parley = await startParley({
      onLog: (line) => lines.push(line),
      parts: { firstCheckAfterMs: 0, prepare: wipe("embeddings") },
    });
    await eventually(() => fatalOf(lines).length > 0);
    expect(fatalOf(lines)[0]!["msg"]).toMatch(/database is damaged: a check of every page found: .*restore/);
    await expectUnavailable(await fetch(`${parley.url}/readyz`));
    expect(await metricsOf(parley)).toContain('parley_storage_failed{kind="damaged"} 1');
  }, 120_000);

  test("that a message finds damaged is no longer written to", async () => {
    const lines: Line[] = [];
    await using parley = await startParley({
      onLog: (line) => lines.push(line),
      parts: { prepare: wipe("turns") },
    });
    for (let i = 0; i < 3; i += 1)
      await expectUnavailable(await parley.chat({ botId: "shop", input: "hello" }));
    await expectUnavailable(await fetch(`${parley.url}/readyz`));
    expect(fatalOf(lines)).toHaveLength(1);
    expect(fatalOf(lines)[0]!["msg"]).toMatch(/database is damaged: SQLite says SQLITE_CORRUPT.*restore/);
  }, 120_000);

  test("that is sound is told so, by a time", async () => {
    await using parley = await startParley({ parts: { firstCheckAfterMs: 0 } });
    await eventually(async () =>
      /^parley_storage_sound_timestamp_seconds [1-9]/m.test(await metricsOf(parley)),
    );
    expect((await fetch(`${parley.url}/readyz`)).status).toBe(200);
  }, 120_000);
});

/** A server in a process of its own, whose disk fails when it is told to. */
class FailingDisk implements AsyncDisposable {
  readonly lines: Line[] = [];
  readonly #child = Bun.spawn([process.execPath, join(import.meta.dir, "../support/failing-disk.ts")], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  readonly #reading = this.#read();

  async order(order: DiskOrder): Promise<void> {
    void this.#child.stdin.write(`${order}\n`);
    await this.#child.stdin.flush();
    await eventually(() => this.lines.some((line) => line["done"] === order));
  }

  async chat(input: string): Promise<Response> {
    const { url, token } = await this.#address();
    return fetch(`${url}/chat`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
      body: JSON.stringify({ botId: "shop", input }),
    });
  }

  async ready(): Promise<Response> {
    return fetch(`${(await this.#address()).url}/readyz`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill();
    await this.#reading;
  }

  async #address(): Promise<{ url: string; token: string }> {
    await eventually(() => this.lines.some(({ url }) => url !== undefined));
    return this.lines.find(({ url }) => url !== undefined) as { url: string; token: string };
  }

  async #read(): Promise<void> {
    let rest = "";
    for await (const chunk of this.#child.stdout.pipeThrough(new TextDecoderStream())) {
      const parts = (rest + chunk).split("\n");
      rest = parts.pop()!;
      this.lines.push(...parts.map((line) => JSON.parse(line) as Line));
    }
  }
}

describe.skipIf(isOnPostgres || process.platform !== "linux")("a disk that fails below SQLite", () => {
  test("a failed fsync ends acknowledgements", async () => {
    await using disk = new FailingDisk();
    expect((await disk.chat("hello")).status).toBe(200);
    await disk.order("fail-fsync");
    for (let i = 0; i < 3; i += 1) await expectUnavailable(await disk.chat("hello"));
    await expectUnavailable(await disk.ready());
    expect(fatalOf(disk.lines)).toHaveLength(1);
    expect(fatalOf(disk.lines)[0]!["msg"]).toMatch(
      /failed to write \(SQLITE_IOERR_FSYNC\).*stop this server/,
    );
  }, 120_000);

  test("a failed write ends acknowledgements; no retry is believed, though the disk takes it again", async () => {
    await using disk = new FailingDisk();
    expect((await disk.chat("hello")).status).toBe(200);
    await disk.order("fail-writes");
    await expectUnavailable(await disk.chat("hello"));
    await disk.order("heal-writes");
    await expectUnavailable(await disk.chat("hello"));
    await expectUnavailable(await disk.ready());
    expect(fatalOf(disk.lines)).toHaveLength(1);
  }, 120_000);
});
