import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { LATEST_SCHEMA, migrate, readSchemaVersion } from "../../../../src/store/postgres/migrate.ts";
import initial from "../../../../src/store/postgres/migrations/0001-initial.sql" with { type: "text" };
import knowledge from "../../../../src/store/postgres/migrations/0002-knowledge.sql" with { type: "text" };
import operators from "../../../../src/store/postgres/migrations/0003-operators.sql" with { type: "text" };
import botTexts from "../../../../src/store/postgres/migrations/0004-bot-texts.sql" with { type: "text" };
import analytics from "../../../../src/store/postgres/migrations/0005-analytics.sql" with { type: "text" };
import { Pool } from "../../../../src/store/postgres/pool.ts";
import { SERVER_PATIENCE } from "../../../../src/store/postgres/postgres-store.ts";
import { eventually, HANG_MS } from "../../../support/eventually.ts";
import { whyNoPostgres } from "../../../support/postgres-server.ts";
import { HASTY, PATIENT, PostgresStores, recordOf, seedShop } from "../../../support/postgres-stores.ts";

const UPGRADE = join(import.meta.dir, "../../../support/upgrade-postgres.ts");
const FIRST = "CREATE TABLE notes (text text NOT NULL); INSERT INTO notes VALUES ('kept')";
const SECOND = "INSERT INTO notes VALUES ('second')";
const THIRD = "INSERT INTO notes VALUES ('third')";
const WIDER = "ALTER TABLE notes ADD COLUMN at bigint";
/** Takes longer than a server waits for a statement. */
const SLOW = "SELECT pg_sleep(1.5)";
/** Takes longer than a test may. */
const ENDLESS = `UPDATE notes SET text = text || pg_sleep(3600)`;

describe.skipIf(whyNoPostgres !== undefined)("an upgrade of a PostgreSQL database", () => {
  let stores: PostgresStores;
  let pool: Pool;
  beforeEach(async () => {
    stores = await PostgresStores.create({ isEmpty: true });
    pool = new Pool({ address: stores.address, connections: 2, ...PATIENT });
  });
  afterEach(async () => {
    await pool[Symbol.asyncDispose]();
    await stores[Symbol.asyncDispose]();
  });

  const upgrade = (migrations: readonly string[]) => migrate(pool, stores.address, { migrations });
  const notes = async () =>
    (await pool.query<{ text: string }>("SELECT text FROM notes")).map(({ text }) => text);

  /** As an operator may set for all, also in the version at hand. */
  const limitDatabase = () =>
    pool.query(`
      DO $$ DECLARE name text; BEGIN
        FOR name IN SELECT pg_settings.name FROM pg_settings WHERE pg_settings.name IN
          ('statement_timeout', 'lock_timeout', 'transaction_timeout', 'idle_in_transaction_session_timeout')
        LOOP EXECUTE format('ALTER DATABASE %I SET %I = 500', current_database(), name); END LOOP;
      END $$`);

  test("takes as long as it takes, whatever a server's deadline and the role's are, and says so", async () => {
    await upgrade([FIRST]);
    await limitDatabase();
    await using hasty = new Pool({ address: stores.address, connections: 1, ...HASTY });
    const said: string[] = [];
    const onUpgrade = (line: string) => void said.push(line);
    await migrate(hasty, stores.address, { migrations: [FIRST, SLOW, SECOND], onUpgrade });
    expect(await notes()).toEqual(["kept", "second"]);
    expect(said[0]).toMatch(/ is brought up to date, from schema 1 to 3$/);
    expect(said[1]).toMatch(/ was at schema 1 of 3 1 s ago; the next is made, or another server makes it$/);
  });

  test("of several servers at once makes each step once; the others wait", async () => {
    await upgrade([FIRST]);
    await Promise.all(Array.from({ length: 4 }, () => upgrade([FIRST, SECOND, SLOW, THIRD])));
    expect(await notes()).toEqual(["kept", "second", "third"]);
    expect(await readSchemaVersion(pool)).toBe(4);
  });

  test(
    "that is killed keeps the steps that were done, lets go of its locks, and goes on at the next start",
    async () => {
      await upgrade([FIRST]);
      const killed = Bun.spawn([process.execPath, UPGRADE, stores.url, FIRST, SECOND, ENDLESS], {
        stdout: "ignore",
        stderr: "inherit",
      });
      const sleeping = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`;
      await eventually(async () => (await pool.query(sleeping)).length > 0);
      killed.kill("SIGTERM");
      await killed.exited;
      expect(await readSchemaVersion(pool)).toBe(2);
      await upgrade([FIRST, SECOND, THIRD]);
      expect(await notes()).toEqual(["kept", "second", "third"]);
    },
    HANG_MS,
  );

  /** Reads a table as a backup does, until it is told to end. */
  async function readAsBackup(table: string) {
    const [reading, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const ended = pool.transaction(async (queries) => {
      await queries.query("SET LOCAL idle_in_transaction_session_timeout = 0");
      await queries.query(`LOCK TABLE ${table} IN ACCESS SHARE MODE`);
      reading.resolve();
      await end.promise;
    });
    await Promise.race([reading.promise, ended]);
    return async () => {
      end.resolve();
      await ended;
    };
  }

  const waitsFor = async (table: string) => {
    const waiting = "SELECT 1 FROM pg_locks WHERE relation = $1::text::regclass AND NOT granted";
    return (await pool.query(waiting, [table])).length > 0;
  };

  test(
    "lets messages be stored while a backup reads a table that it changes, and is done when that has ended",
    async () => {
      const server = await stores.open({ patience: SERVER_PATIENCE });
      const bot = await seedShop(server);
      const endBackup = await readAsBackup("turns");
      await limitDatabase();
      const said: string[] = [];
      const upgraded = migrate(pool, stores.address, {
        migrations: [
          ...Array.from({ length: LATEST_SCHEMA }, () => ""),
          "ALTER TABLE turns ADD COLUMN later text",
        ],
        onUpgrade: (line) => void said.push(line),
        tries: { lockMs: 300, pauseMs: 600 },
      });
      const isWaiting = () =>
        said.some((line) => line.endsWith("waits for a table: a backup or a report reads it"));
      await eventually(isWaiting);
      await server.recordTurn(recordOf(bot, "between-two-tries"));
      await eventually(() => waitsFor("turns"));
      await server.recordTurn(recordOf(bot, "during-a-try"));
      expect(await readSchemaVersion(pool)).toBe(LATEST_SCHEMA);
      await endBackup();
      await upgraded;
      expect(await readSchemaVersion(pool)).toBe(LATEST_SCHEMA + 1);
      expect(await pool.query("SELECT request_id, later FROM turns")).toHaveLength(2);
    },
    HANG_MS,
  );

  test(
    "that is killed while a backup reads a table leaves nobody waiting",
    async () => {
      await upgrade([FIRST]);
      const endBackup = await readAsBackup("notes");
      const killed = Bun.spawn([process.execPath, UPGRADE, stores.url, FIRST, WIDER], {
        stdout: "ignore",
        stderr: "inherit",
      });
      await eventually(() => waitsFor("notes"));
      killed.kill("SIGINT");
      await killed.exited;
      await pool.query(SECOND);
      await endBackup();
      await upgrade([FIRST, WIDER]);
      expect(await notes()).toEqual(["kept", "second"]);
    },
    HANG_MS,
  );

  test("that fails keeps the steps that were done; a new database keeps none", async () => {
    await expect(upgrade([FIRST, "nonsense"])).rejects.toThrow("syntax error");
    expect(await readSchemaVersion(pool)).toBeUndefined();
    await upgrade([FIRST]);
    await expect(upgrade([FIRST, SECOND, "nonsense"])).rejects.toThrow("syntax error");
    expect(await readSchemaVersion(pool)).toBe(2);
  });

  test(
    "brings a table of 300,000 turns up to date, by a server",
    async () => {
      await upgrade([initial, knowledge, operators, botTexts, analytics]);
      await pool.query(
        "INSERT INTO bots (id, enabled, version, created_at, updated_at, limits) VALUES ('old', true, 1, 0, 0, '{}')",
      );
      await pool.query(
        "INSERT INTO conversations (id, bot_key, created_at) SELECT 'cv_' || n, 1, n FROM generate_series(0, 29999) AS n",
      );
      await pool.query(
        `INSERT INTO turns (request_id, conversation_id, number, bot_version, state, at, input, response, capability_allowed, schema_enforced,
         schema_fallback_used, receipt)
       SELECT 'rq_' || n, 'cv_' || n / 10, n % 10, 1, 'complete', n, 'message ' || n, 'an answer', true, false, false, '{}'
       FROM generate_series(0, 299999) AS n`,
      );
      await stores.open({ patience: SERVER_PATIENCE });
      expect(await readSchemaVersion(pool)).toBe(LATEST_SCHEMA);
      const [turns] = await pool.query(
        "SELECT (SELECT count(*) FROM turns) AS stored, (SELECT count(*) FROM awaited_turns) AS awaited",
      );
      expect(turns).toEqual({ stored: 300_000, awaited: 300_000 });
    },
    HANG_MS,
  );
});

test("a migration that changes the table of messages does nothing else, as messages wait for it", () => {
  const folder = join(import.meta.dir, "../../../../src/store/postgres/migrations");
  const changing = readdirSync(folder)
    .map((name) =>
      readFileSync(join(folder, name), "utf8")
        .replaceAll(/^--.*$/gm, "")
        .trim(),
    )
    .filter((sql) => /ALTER TABLE turns\b/.test(sql));
  expect(changing.length).toBeGreaterThan(2);
  expect(changing.filter((sql) => !/^[^;]+;$/.test(sql))).toEqual([]);
});
