import type { Now } from "../../domain/time.ts";
import { draftFromRow, type DraftRow, nextDraft, seenOf } from "../draft-rows.ts";
import type { BotDrafts, BotKey, SeenDraft, StoredDraft } from "../interface/bots.ts";
import type { PostgresChanges } from "./changes.ts";
import type { Queries } from "./connection.ts";
import type { Pool } from "./pool.ts";
import { storableText } from "./storable.ts";

const FIND = `
SELECT yaml, base_version::float8 AS base_version, revision::float8 AS revision, updated_at::float8 AS updated_at, updated_by
FROM bot_drafts WHERE bot_key = $1`;

const SAVE = `
INSERT INTO bot_drafts (bot_key, revision, yaml, base_version, updated_at, updated_by) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (bot_key) DO UPDATE SET revision = excluded.revision, yaml = excluded.yaml, base_version = excluded.base_version,
  updated_at = excluded.updated_at, updated_by = excluded.updated_by`;

/** What is being edited of bots, one of each. Whoever changes a draft takes its bot's row first. */
export class PostgresBotDrafts implements BotDrafts {
  readonly #pool: Pool;
  readonly #now: Now;
  readonly #changes: Pick<PostgresChanges, "actor">;

  constructor(pool: Pool, now: Now, changes: Pick<PostgresChanges, "actor">) {
    this.#pool = pool;
    this.#now = now;
    this.#changes = changes;
  }

  find(bot: BotKey): Promise<StoredDraft | undefined> {
    return find(this.#pool, bot);
  }

  async list(): Promise<ReadonlySet<BotKey>> {
    const rows = await this.#pool.query<{ key: BotKey }>("SELECT bot_key::float8 AS key FROM bot_drafts");
    return new Set(rows.map(({ key }) => key));
  }

  save(
    bot: BotKey,
    { yaml, baseVersion }: Pick<StoredDraft, "yaml" | "baseVersion">,
    seen: SeenDraft,
  ): Promise<StoredDraft | undefined> {
    return this.#change(bot, seen, async (queries, stored) => {
      const content = { yaml: storableText(yaml), baseVersion };
      const draft = nextDraft(content, stored, this.#now(), this.#changes.actor().name);
      const { revision, updatedAt, updatedBy } = draft;
      await queries.query(SAVE, [bot, revision, content.yaml, baseVersion, updatedAt, updatedBy]);
      return draft;
    });
  }

  async delete(bot: BotKey, seen: SeenDraft): Promise<boolean> {
    const deleted = await this.#change(bot, seen, async (queries) => {
      await queries.query("DELETE FROM bot_drafts WHERE bot_key = $1", [bot]);
      return true;
    });
    return deleted ?? false;
  }

  #change<Result>(
    bot: BotKey,
    seen: SeenDraft,
    change: (queries: Queries, stored: StoredDraft | undefined) => Promise<Result>,
  ): Promise<Result | undefined> {
    return this.#pool.transaction(async (queries) => {
      const bots = await queries.query("SELECT 1 FROM bots WHERE key = $1 FOR UPDATE", [bot]);
      const stored = await find(queries, bot);
      return bots.length === 0 || seenOf(stored) !== seen ? undefined : change(queries, stored);
    });
  }
}

async function find(queries: Queries, bot: BotKey): Promise<StoredDraft | undefined> {
  const [row] = await queries.query<DraftRow>(FIND, [bot]);
  return row && draftFromRow(row);
}
