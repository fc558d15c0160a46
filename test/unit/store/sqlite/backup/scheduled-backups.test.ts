import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

import type { StorageFailure } from "../../../../../src/store/interface/health.ts";
import { stampOf } from "../../../../../src/store/sqlite/backup/backup-names.ts";
import { BackupError } from "../../../../../src/store/sqlite/backup/errors.ts";
import { ScheduledBackups } from "../../../../../src/store/sqlite/backup/scheduled-backups.ts";
import { FilledFolder, readInputs } from "../../../../support/databases.ts";
import { eventually } from "../../../../support/eventually.ts";
import { startParley } from "../../../../support/parley.ts";

const START = Date.UTC(2026, 10, 30, 12);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let folder: FilledFolder;
let clock: number;
let failure: Error | undefined;
let logged: { level: string; text: string; fields: Record<string, unknown> }[];
let lastBackup: number | undefined;
let failures: number;
let duringBackup: () => void;
let storageFailure: StorageFailure | undefined;
beforeEach(() => {
  folder = new FilledFolder();
  clock = START;
  failure = undefined;
  logged = [];
  lastBackup = undefined;
  failures = 0;
  storageFailure = undefined;
  duringBackup = () => {};
});
afterEach(() => folder[Symbol.dispose]());

/** A server that has just started. */
function schedule({ keep = 14, everyMs = 6 * HOUR_MS } = {}): ScheduledBackups {
  const note = (level: string) => (fields: Record<string, unknown>, text: string) =>
    void logged.push({ level, text, fields });
  return new ScheduledBackups({
    dataDir: folder.dataDir,
    everyMs,
    keep,
    health: {
      get failure() {
        return storageFailure;
      },
    },
    now: () => clock,
    log: { info: note("info"), error: note("error") } as never,
    metrics: {
      lastBackup: { set: (at) => void (lastBackup = at) },
      backupFailures: { inc: () => void failures++ },
    },
    makeBackup: async (file) => {
      if (failure) throw failure;
      duringBackup();
      writeFileSync(file, "a backup");
    },
  });
}

const nameAt = (at: number) => `parley-scheduled-${stampOf(at)}.db`;
const backups = () => readdirSync(join(folder.dataDir, "backups")).toSorted();

function leave(...names: string[]): void {
  mkdirSync(join(folder.dataDir, "backups"), { recursive: true });
  for (const name of names) writeFileSync(join(folder.dataDir, "backups", name), "");
}

describe("a scheduled backup", () => {
  test("is made at once where there is none, then when the newest is older than the interval", async () => {
    const running = schedule();
    await running.look();
    clock += 6 * HOUR_MS - 1;
    await running.look();
    expect(backups()).toEqual([nameAt(START)]);
    clock += 1;
    await running.look();
    expect(backups()).toEqual([nameAt(START), nameAt(START + 6 * HOUR_MS)]);
    expect(logged.map(({ level, text }) => `${level}: ${text}`)).toEqual([
      "info: backup made and verified",
      "info: backup made and verified",
    ]);
    expect(logged[1]!.fields).toMatchObject({ bytes: 8, deleted: [] });
  });

  test("is not made once storage has failed, so that no sound one gives way to a copy of what stands there now", async () => {
    const running = schedule({ keep: 1 });
    await running.look();
    storageFailure = { kind: "moved", message: "another file has taken the place of parley.db" };
    clock += 6 * HOUR_MS;
    await running.look();
    expect(backups()).toEqual([nameAt(START)]);
    expect(failures).toBe(0);
  });

  test("deletes no older one where storage fails while it is made", async () => {
    leave(nameAt(START - 6 * HOUR_MS));
    const running = schedule({ keep: 1 });
    duringBackup = () => (storageFailure = { kind: "damaged", message: "the database is damaged" });
    await running.look();
    expect(backups()).toEqual([nameAt(START - 6 * HOUR_MS), nameAt(START)]);
  });

  test("is neither repeated nor put off by restarts", async () => {
    await schedule().look();
    for (let hours = 1; hours <= 6; hours++) {
      clock = START + hours * HOUR_MS;
      await schedule().look();
    }
    expect(backups()).toEqual([nameAt(START), nameAt(START + 6 * HOUR_MS)]);
  });

  test("tells after a restart when the newest was made", async () => {
    leave(nameAt(START - HOUR_MS), nameAt(START - 2 * HOUR_MS));
    await schedule().look();
    expect(lastBackup).toBe((START - HOUR_MS) / 1000);
  });

  test("is not put off by one of the future, which a wrong clock named", async () => {
    leave(nameAt(START + 1000 * HOUR_MS));
    await schedule().look();
    expect(backups()).toContain(nameAt(START));
    expect(lastBackup).toBe(START / 1000);
  });

  test("makes only the oldest of its own go that are more than are kept", async () => {
    const others = ["parley-2020-01-01T00-00-00.000Z.db", "before-the-move.db", "parley-scheduled-x.db"];
    const old = [4, 3, 2, 1].map((days) => nameAt(START - days * 24 * HOUR_MS));
    leave(...others, ...old);
    await schedule({ keep: 3 }).look();
    expect(backups()).toEqual([...others, ...old.slice(2), nameAt(START)].toSorted());
    expect(logged[0]!.fields.deleted).toEqual(old.slice(0, 2));
  });

  test("keeps itself, also where a wrong clock has named newer ones", async () => {
    leave(nameAt(START + HOUR_MS), nameAt(START + 2 * HOUR_MS));
    await schedule({ keep: 1 }).look();
    expect(backups()).toEqual([nameAt(START)]);
  });

  test("that fails is told and counted, deletes nothing, and is tried again after ten minutes", async () => {
    const old = [nameAt(START - 48 * HOUR_MS), nameAt(START - 24 * HOUR_MS)];
    leave(...old);
    failure = new BackupError("the disk of /data is full");
    const running = schedule({ keep: 1 });
    await running.look();
    clock += 10 * MINUTE_MS - 1;
    await running.look();
    expect({ failures, levels: logged.map(({ level }) => level) }).toEqual({
      failures: 1,
      levels: ["error"],
    });
    expect(logged[0]!.fields.err).toBe(failure);
    expect(backups()).toEqual(old);
    expect(lastBackup).toBe((START - 24 * HOUR_MS) / 1000);
    clock += 1;
    failure = undefined;
    await running.look();
    expect(backups()).toEqual([nameAt(clock)]);
  });

  test("is one at a time", async () => {
    const running = schedule({ everyMs: 1 });
    await Promise.all([running.look(), running.look()]);
    expect(backups()).toHaveLength(1);
  });
});

describe("a server with --backup-every", () => {
  test("makes a backup in a process of its own, logs it in a line, and tells metrics", async () => {
    const lines: Record<string, unknown>[] = [];
    await using parley = await startParley({
      flags: { backupEvery: "1h" },
      onLog: (line) => void lines.push(line),
    });
    await parley.say("where is my order");
    const found = () => lines.find(({ msg }) => msg === "backup made and verified");
    await eventually(() => found() !== undefined);
    const file = found()!.file as string;
    expect(basename(file)).toMatch(/^parley-scheduled-.*\.db$/);
    expect(readInputs(file)).toEqual(["where is my order"]);
    expect(readdirSync(join(parley.dataDir, "backups"))).toEqual([basename(file)]);
    const metrics = await (await fetch(`${parley.server.operatorUrl}/metrics`)).text();
    const at = Number(/^parley_backup_last_success_timestamp_seconds (\S+)$/m.exec(metrics)?.[1]);
    expect(Math.abs(Date.now() / 1000 - at)).toBeLessThan(60);
    expect(metrics).toContain("parley_backup_failures_total 0");
  }, 120_000);

  test("goes on serving when a backup fails, and says why", async () => {
    const lines: Record<string, unknown>[] = [];
    await using parley = await startParley({
      flags: { backupEvery: "1h" },
      onLog: (line) => void lines.push(line),
    });
    writeFileSync(join(parley.dataDir, "backups"), "no folder");
    const found = () => lines.find(({ msg }) => String(msg).startsWith("the scheduled backup failed"));
    await eventually(() => found() !== undefined);
    expect(found()).toMatchObject({ level: 50, err: { message: expect.stringContaining("backups") } });
    expect((await parley.say("where is my order")).response).toBe("It is on its way.");
    const metrics = await (await fetch(`${parley.server.operatorUrl}/metrics`)).text();
    expect(metrics).toContain("parley_backup_failures_total 1");
  }, 120_000);
});
