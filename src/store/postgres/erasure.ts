import type { BotId } from "../../domain/ids.ts";
import { deletionOf } from "../changes/noted-changes.ts";
import type { BotKey } from "../interface/bots.ts";
import type {
  ConversationToErase,
  Erasure,
  ErasureFilter,
  ConversationCounts,
  WipedFiles,
} from "../interface/conversations.ts";
import type { ChangeRecorder } from "./change-recorder.ts";
import { List } from "./connection.ts";
import type { PostgresConversationSearch } from "./conversation-search.ts";
import type { Pool } from "./pool.ts";

const MESSAGES = "(SELECT count(*)::int4 FROM turns WHERE conversation_id = conversations.id) AS messages";

/** With no turn at the instant or later; an instant that is not given is met by all. */
const isIdle = (instant: string) => `
  (${instant}::bigint IS NULL OR NOT EXISTS (SELECT FROM turns WHERE conversation_id = conversations.id AND at >= ${instant}))`;

/** A deleted bot's go by themselves. */
const IS_OF_BOT = "EXISTS (SELECT FROM bots WHERE bots.key = bot_key)";

const CHOOSE = `
SELECT id, ${MESSAGES} FROM conversations
WHERE ${IS_OF_BOT} AND ($1::bigint IS NULL OR bot_key = $1) AND ($2::bigint IS NULL OR created_at < $2) AND ${isIdle("$2")}
  AND ($3::text[] IS NULL OR id = ANY($3::text[]))
ORDER BY id`;

const ERASE = `
WITH gone AS (
  SELECT id, (SELECT id FROM bots WHERE bots.key = bot_key) AS bot, ${MESSAGES} FROM conversations
  WHERE id = ANY($1::text[]) AND ${IS_OF_BOT} AND ${isIdle("$2")} ORDER BY id FOR UPDATE
), erased AS (
  DELETE FROM conversations USING gone WHERE conversations.id = gone.id
)
SELECT * FROM gone`;

const OF_DELETED = "bot_key = (SELECT key FROM bot_rows WHERE key = $1 AND deleted_as IS NOT NULL)";
/**
 * The tables of which a bot may have thousands of rows, or large ones; what is in the others is few, and goes with its row. Rows that another
 * server erases at this moment are left to it.
 */
const ERASE_LEFT = [
  `conversations WHERE ${OF_DELETED}`,
  `knowledge_passages JOIN knowledge_documents ON knowledge_documents.key = document_key WHERE ${OF_DELETED}`,
  `knowledge_documents WHERE ${OF_DELETED}`,
  `deliveries WHERE ${OF_DELETED}`,
  `bot_versions WHERE ${OF_DELETED}`,
].map((rows) => {
  const table = rows.slice(0, rows.indexOf(" "));
  return `
DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ${table}.ctid FROM ${rows} LIMIT $2 FOR UPDATE OF ${table} SKIP LOCKED)) RETURNING 1`;
});

const REMAINS =
  "PostgreSQL takes what was deleted out of its files when it vacuums them next; its write-ahead log, and replicas, archives and dumps, keep it as long as they are kept";

/** Erases conversations for good, for operators. */
export class PostgresErasure implements Erasure {
  readonly #pool: Pool;
  readonly #search: PostgresConversationSearch;
  readonly #changes: ChangeRecorder;

  constructor(pool: Pool, search: PostgresConversationSearch, changes: ChangeRecorder) {
    this.#pool = pool;
    this.#search = search;
    this.#changes = changes;
  }

  async choose({ bot, idleSince, text }: ErasureFilter): Promise<ConversationToErase[]> {
    const ids = text === undefined ? null : new List(await this.#idsWith(text, bot));
    return this.#pool.query<ConversationToErase>(CHOOSE, [bot ?? null, idleSince ?? null, ids]);
  }

  erase(conversations: readonly { id: string }[], { idleSince }: ErasureFilter): Promise<ConversationCounts> {
    const wanted = new List(conversations.map(({ id }) => id));
    return this.#pool.transaction(async (queries) => {
      const erased = await queries.query<ConversationToErase & { bot: BotId }>(ERASE, [
        wanted,
        idleSince ?? null,
      ]);
      const messages = erased.reduce((sum, conversation) => sum + conversation.messages, 0);
      const ids = erased.map(({ id }) => id);
      const bots = erased.map(({ bot }) => bot);
      if (ids.length > 0) await this.#changes.append(queries, deletionOf(ids, bots, messages));
      return { conversations: erased.length, messages };
    });
  }

  async eraseSomeOf(bot: BotKey, most: number): Promise<number> {
    for (const statement of ERASE_LEFT) {
      const erased = await this.#pool.query(statement, [bot, most]);
      if (erased.length > 0) return erased.length;
    }
    await this.#pool.query("DELETE FROM bot_rows WHERE key = $1 AND deleted_as IS NOT NULL", [bot]);
    return 0;
  }

  async wipeFiles(): Promise<WipedFiles> {
    return { isRewritten: true, isLogEmpty: true, remains: REMAINS };
  }

  async #idsWith(text: string, bot: ErasureFilter["bot"]): Promise<string[]> {
    const found = this.#search.find({ text, ...(bot !== undefined && { bot }) });
    return Array.fromAsync(found, ({ key }) => String(key));
  }
}
