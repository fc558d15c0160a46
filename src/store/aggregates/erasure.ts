import type { BotId } from "../../domain/ids.ts";
import { deletionOf } from "../changes/noted-changes.ts";
import type { BotKey } from "../interface/bots.ts";
import type {
  ConversationCounts,
  ConversationToErase,
  ErasureFilter,
  WipedFiles,
} from "../interface/conversations.ts";
import { among, byEngine, FOR_UPDATE, type Sql, sql, text, where } from "../sql/sql.ts";
import { all, type Engine, run, type Work } from "../sql/work.ts";
import type { SqlChanges } from "./changes.ts";
import type { SqlConversationSearch } from "./conversation-search.ts";
import { CONVERSATION, CONVERSATION_KEY } from "./references.ts";

const MESSAGES = sql`(SELECT count(*) FROM turns WHERE turns.${CONVERSATION} = ${CONVERSATION_KEY}) AS messages`;

/** False for deleted bots, whose conversations are erased in steps of their own. */
const IS_OF_BOT = sql`EXISTS (SELECT 1 FROM bots WHERE bots.key = bot_key)`;

/** Without a turn at or after the instant. */
const isIdle = (instant: number): Sql => sql`
  NOT EXISTS (SELECT 1 FROM turns WHERE turns.${CONVERSATION} = ${CONVERSATION_KEY} AND at >= ${instant})`;

const OF_DELETED = "bot_key = (SELECT key FROM bot_rows WHERE key = ";
/** Tables with large or numerous rows per bot. The few rows of other tables are deleted together with the bot. */
const LEFT_BY_BOTS = [
  { table: "conversations", from: "conversations" },
  {
    table: "knowledge_passages",
    from: "knowledge_passages JOIN knowledge_documents ON knowledge_documents.key = document_key",
  },
  { table: "knowledge_documents", from: "knowledge_documents" },
  { table: "deliveries", from: "deliveries" },
  { table: "bot_versions", from: "bot_versions" },
];

/** Physical address of a row, so that it is looked up only once. */
const ROW = byEngine({ sqlite: "rowid", postgres: "ctid" });
const ROW_IN = {
  before: byEngine({ sqlite: "rowid IN (", postgres: "ctid = ANY (ARRAY(" }),
  after: byEngine({ sqlite: ")", postgres: "))" }),
};

/** Skips rows that another server is erasing. */
const unlessTaken = (table: string) =>
  byEngine({ sqlite: "", postgres: `FOR UPDATE OF ${table} SKIP LOCKED` });

/** Actions that an engine adds to an erasure. */
export interface ErasureHooks {
  /** Inside the transaction: called before the first row is deleted, and after the last. */
  beforeErasing?: () => void;
  afterErasing?: () => void;
  /** Removes erased data from files that the driver can reach. */
  wipeFiles: (most?: number) => Promise<WipedFiles>;
}

interface SqlErasureParts extends ErasureHooks {
  /** For large reads that operators ask for. */
  engine: Engine;
  search: Pick<SqlConversationSearch, "find">;
  changes: Pick<SqlChanges, "append">;
}

/** Erases conversations for good, for operators; never on the path of a message. */
export class SqlErasure {
  readonly #parts: SqlErasureParts;

  constructor(parts: SqlErasureParts) {
    this.#parts = parts;
  }

  /** Chooses the conversations. Reads all texts if the filter has a text. */
  async choose({ bot, idleSince, text: words }: ErasureFilter): Promise<ConversationToErase[]> {
    const { engine, search } = this.#parts;
    const found =
      words === undefined
        ? undefined
        : await Array.fromAsync(search.find({ text: words, ...(bot !== undefined && { bot }) }));
    const filter = where(
      IS_OF_BOT,
      bot === undefined ? undefined : sql`bot_key = ${bot}`,
      idleSince === undefined ? undefined : sql`created_at < ${idleSince}`,
      idleSince === undefined ? undefined : isIdle(idleSince),
      found && sql`${CONVERSATION_KEY} IN ${among(found.map(({ key }) => key))}`,
    );
    const statement = sql`SELECT id, ${MESSAGES} FROM conversations ${filter} ORDER BY id`;
    return engine.read(() => all<ConversationToErase>(statement));
  }

  /** Erases those that still meet the filter's time, in one transaction. @returns number of erased conversations and messages. */
  erase(conversations: readonly { id: string }[], { idleSince }: ErasureFilter): Promise<ConversationCounts> {
    const ids = conversations.map(({ id }) => id);
    return this.#parts.engine.write(() => this.erasing(() => this.#erase(ids, idleSince)));
  }

  /**
   * Erases at most so many rows of a deleted bot: conversations, passages of documents and the like. Nothing is erased of a bot that
   * is not deleted.
   *
   * @returns number of erased rows; 0: nothing is left.
   */
  eraseSomeOf(bot: BotKey, most: number): Promise<number> {
    return this.#parts.engine.write(() => this.erasing(() => eraseSomeOf(bot, most)));
  }

  /**
   * Removes erased data from files that the driver can reach.
   *
   * @param most largest file, in bytes, that is rewritten.
   */
  wipeFiles(most?: number): Promise<WipedFiles> {
    return this.#parts.wipeFiles(most);
  }

  /** Runs the engine's hooks around the work; part of the caller's transaction. */
  *erasing<Result>(work: () => Work<Result>): Work<Result> {
    this.#parts.beforeErasing?.();
    const result = yield* work();
    this.#parts.afterErasing?.();
    return result;
  }

  *#erase(wanted: readonly string[], idleSince: number | undefined): Work<ConversationCounts> {
    const filter = where(
      sql`id IN ${among(wanted)}`,
      IS_OF_BOT,
      idleSince === undefined ? undefined : isIdle(idleSince),
    );
    const erased = yield* all<ConversationToErase & { bot: BotId }>(sql`
      SELECT id, (SELECT id FROM bots WHERE bots.key = bot_key) AS bot, ${MESSAGES} FROM conversations
      ${filter} ORDER BY id ${FOR_UPDATE}`);
    if (erased.length === 0) return { conversations: 0, messages: 0 };
    const ids = erased.map(({ id }) => id);
    yield* run(sql`DELETE FROM conversations WHERE id IN ${among(ids)}`);
    const messages = erased.reduce((sum, conversation) => sum + conversation.messages, 0);
    const bots = erased.map(({ bot }) => bot);
    yield* this.#parts.changes.append(deletionOf(ids, bots, messages));
    return { conversations: erased.length, messages };
  }
}

/** Erases at most so many rows that a deleted bot left. @returns how many; 0: nothing is left. */
function* eraseSomeOf(bot: BotKey, most: number): Work<number> {
  for (const { table, from } of LEFT_BY_BOTS) {
    const erased = yield* run(sql`
      DELETE FROM ${text(table)} WHERE ${ROW_IN.before}
        SELECT ${text(table)}.${ROW} FROM ${text(from)} WHERE ${text(OF_DELETED)}${bot} AND deleted_as IS NOT NULL)
        LIMIT ${most} ${unlessTaken(table)}${ROW_IN.after}`);
    if (erased > 0) return erased;
  }
  yield* run(sql`DELETE FROM bot_rows WHERE key = ${bot} AND deleted_as IS NOT NULL`);
  return 0;
}
