import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { CopiedTable } from "../../src/store/copy/catalogue.ts";
import { copyToFolder, copyToPostgres } from "../../src/store/copy/copy.ts";
import { JSON_COLUMNS } from "../../src/store/copy/differences.ts";
import { PostgresStore } from "../../src/store/postgres/postgres-store.ts";
import { SqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { readCopiedRows, readPlan, writeOneOfEach } from "../support/copies.ts";
import { HANG_MS } from "../support/eventually.ts";
import { whyNoPostgres } from "../support/postgres-server.ts";
import { PostgresStores } from "../support/postgres-stores.ts";
import { isOnPostgres } from "../support/store-under-test.ts";

const ROOT = join(import.meta.dir, "../..");
/** Together they write to every table. */
const CONTRACTS = [
  "actions",
  "handoff",
  "idempotency",
  "knowledge",
  "live-handoff",
  "model-intents",
  "notify",
  "operator-analytics",
  "operator-session",
];
/** What these tests have taken away again at their end, and `writeOneOfEach` writes. */
const TAKEN_AWAY = new Set(["bot_drafts", "event_starts"]);
const by = { kind: "user", name: "ann", command: "copy" } as const;

describe.skipIf(isOnPostgres || whyNoPostgres !== undefined)(
  "stores that the contract's tests have filled",
  () => {
    const kept = mkdtempSync(join(tmpdir(), "parley-kept-"));
    let tables: CopiedTable[];
    let filled: Map<string, Map<string, unknown[]>>;

    beforeAll(async () => {
      tables = await readPlan();
      const files = CONTRACTS.map((name) => `test/contract/${name}.test.ts`);
      const child = Bun.spawn([process.execPath, "test", `--timeout=${HANG_MS}`, ...files], {
        cwd: ROOT,
        env: { ...process.env, KEEP_TEST_STORES: kept },
        stdout: "ignore",
        stderr: "pipe",
      });
      const said = await new Response(child.stderr).text();
      expect(await child.exited, said).toBe(0);
      filled = chooseFew(
        new Map(readdirSync(kept).map((name) => [join(kept, name), readFolder(join(kept, name))])),
      );
    }, 10 * HANG_MS);
    afterAll(() => rmSync(kept, { recursive: true }));

    const readFolder = (folder: string) => readCopiedRows(join(folder, "parley.db"));
    const filledTables = (rows: ReadonlyMap<string, unknown[]>) =>
      [...rows].flatMap(([table, held]) => (held.length > 0 ? [table] : []));

    /** Of many stores those that together hold something in each table, the fullest first. */
    function chooseFew(all: typeof filled): typeof filled {
      const seen = new Set<string>();
      const fullest = [...all].toSorted(([, a], [, b]) => filledTables(b).length - filledTables(a).length);
      return new Map(
        fullest.filter(([, rows]) => {
          const news = filledTables(rows).filter((table) => !seen.has(table));
          for (const table of news) seen.add(table);
          return news.length > 0;
        }),
      );
    }

    test("hold something in every table that is copied", () => {
      const seen = new Set([...filled.values()].flatMap(filledTables));
      const empty = tables.map(({ name }) => name).filter((name) => !seen.has(name));
      expect(empty.filter((name) => !TAKEN_AWAY.has(name))).toEqual([]);
    });

    test("hold no JSON in a column that is not known to hold it", () => {
      const columns = new Map<string, unknown[]>();
      for (const rows of filled.values())
        for (const [table, held] of rows)
          for (const [column, value] of held.flatMap((row) => entriesOf(table, row)))
            columns.getOrInsertComputed(`${table}.${column}`, () => []).push(value);
      const json = [...columns].filter(([, values]) =>
        values.every((value) => value === null || isJson(value)),
      );
      const holding = json
        .filter(([, values]) => values.some((value) => value !== null))
        .map(([name]) => name);
      expect(holding.length).toBeGreaterThan(8);
      expect(holding.filter((name) => !JSON_COLUMNS.has(name))).toEqual([]);
    });

    test("go to PostgreSQL and come back with every row, and take one write of each kind on both sides", async () => {
      expect(filled.size).toBeGreaterThan(1);
      for (const [dataDir, rows] of filled) {
        await using stores = await PostgresStores.create();
        const options = { address: stores.address, now: Date.now, by };
        await copyToPostgres({ ...options, dataDir });
        const back = await copyToFolder({ ...options, dataDir: `${dataDir}-back` });
        const after = readCopiedRows(back.database);
        expect(after.get("changes")!.length).toBe(rows.get("changes")!.length + 2);
        for (const [table, held] of rows)
          if (table !== "changes") expect([table, after.get(table)]).toEqual([table, held]);
        const now = Date.now();
        await using postgres = await PostgresStore.open({ ...options });
        await writeOneOfEach(postgres, now);
        await using sqlite = new SqliteStore({
          dataDir: `${dataDir}-back`,
          now: Date.now,
          busyTimeoutMs: 5000,
        });
        await writeOneOfEach(sqlite, now);
      }
    });
  },
);

/** Columns and values of a row as `readCopiedRows` gives it: as JSON, and the turns of a conversation together. */
function entriesOf(table: string, row: unknown): [string, unknown][] {
  if (table === "turns") return (row as [string, [string, unknown][][]])[1].flat();
  return JSON.parse(row as string) as [string, unknown][];
}

function isJson(value: unknown): boolean {
  if (typeof value !== "string" || !/^[[{]/.test(value)) return false;
  try {
    return typeof JSON.parse(value) === "object";
  } catch {
    return false;
  }
}
