import type { Database } from "better-sqlite3";

import type { BotId } from "../../domain/ids.ts";
import { deletionOf } from "../changes/noted-changes.ts";
import type { BotKey } from "../interface/bots.ts";
import type {
  ConversationKey,
  ConversationToErase,
  ErasureFilter,
  ConversationCounts,
  WipedFiles,
} from "../interface/conversations.ts";
import { eraseWords } from "./analytics/word-index.ts";
import type { ChangeRecorder } from "./change-recorder.ts";
import type { ConversationSearch } from "./conversation-search.ts";

/** To write as much anew takes some seconds, during which messages wait. */
export const REWRITTEN_BYTES = 256 * 1024 * 1024;
const LOG_TRIES = 5;

/** Erases conversations for good, for operators; never on the path of a message. */
export class ConversationErasure {
  readonly #db: Database;
  readonly #search: ConversationSearch;
  readonly #changes: ChangeRecorder;
  readonly #onErased: () => void;

  /** @param onErased told whenever conversations were erased: what else knows of them has to forget them. */
  constructor(db: Database, search: ConversationSearch, changes: ChangeRecorder, onErased: () => void) {
    this.#db = db;
    this.#onErased = onErased;
    this.#search = search;
    this.#changes = changes;
  }

  /** Reads all texts where the filter has one. */
  choose({ bot, idleSince, text }: ErasureFilter): ConversationToErase[] {
    const conditions = [
      IS_OF_BOT,
      ...(bot === undefined ? [] : ["bot_key = @bot"]),
      ...(idleSince === undefined ? [] : ["created_at < @idleSince", IS_IDLE]),
    ];
    const where = (more: string[]) => [...conditions, ...more].join(" AND ");
    if (text === undefined) {
      return this.#db
        .prepare<object, ConversationToErase>(`${SELECT} WHERE ${where([])}`)
        .all({ bot, idleSince });
    }
    const one = this.#db.prepare<object, ConversationToErase>(`${SELECT} WHERE ${where(["key = @key"])}`);
    const found = [...this.#search.find({ text, ...(bot !== undefined && { bot }) })];
    return found.flatMap(({ key }) => one.get({ bot, idleSince, key }) ?? []);
  }

  /** Erases those that still meet the filter's time, in one transaction. @returns how much was erased. */
  erase(conversations: readonly { id: string }[], { idleSince }: ErasureFilter): ConversationCounts {
    const find = this.#db.prepare<object, ConversationToErase & { key: ConversationKey; bot: BotId }>(
      `SELECT id, key, ${BOT}, ${MESSAGES} FROM conversations WHERE id = @id AND ${IS_OF_BOT} ${idleSince === undefined ? "" : `AND ${IS_IDLE}`}`,
    );
    const remove = this.#db.prepare<[ConversationKey]>("DELETE FROM conversations WHERE key = ?");
    this.#onErased();
    const eraseAll = this.#db.transaction(() => {
      const erased = conversations.flatMap(({ id }) => find.get({ id, idleSince }) ?? []);
      for (const { key } of erased) remove.run(key);
      eraseWords(this.#db);
      const messages = erased.reduce((sum, conversation) => sum + conversation.messages, 0);
      const ids = erased.map(({ id }) => id);
      if (ids.length > 0)
        this.#changes.append(
          deletionOf(
            ids,
            erased.map(({ bot }) => bot),
            messages,
          ),
        );
      return { conversations: erased.length, messages };
    });
    return eraseAll.immediate();
  }

  /** Erases up to so many rows of what a deleted bot left. @returns how many they were; 0: nothing of it is left. */
  eraseSomeOf(bot: BotKey, most: number): number {
    this.#onErased();
    const eraseSome = this.#db.transaction(() => {
      for (const rows of LEFT_BY_BOTS) {
        const table = rows.slice(0, rows.indexOf(" "));
        const { changes } = this.#db
          .prepare<{ bot: BotKey; most: number }>(
            `DELETE FROM ${table} WHERE key IN (SELECT ${table}.key FROM ${rows} LIMIT @most)`,
          )
          .run({ bot, most });
        eraseWords(this.#db);
        if (changes > 0) return changes;
      }
      this.#db.prepare<[BotKey]>("DELETE FROM bot_rows WHERE key = ? AND deleted_as IS NOT NULL").run(bot);
      return 0;
    });
    return eraseSome.immediate();
  }

  /**
   * Takes what was erased out of the files. `secure_delete` overwrites a row that is deleted, but not the copies that SQLite leaves in the
   * unused middle of a page when it moves rows (0 to 3 of 3,000 in our trials); only to write the file anew does. The write-ahead log holds
   * older pages until it is cut.
   *
   * @param most bytes that the file may have to be written anew.
   */
  wipeFiles(most = REWRITTEN_BYTES): WipedFiles {
    const bytes = this.#number("page_count") * this.#number("page_size");
    const isRewritten = bytes <= most;
    if (isRewritten) {
      // What is kept must not pass through the temporary folder.
      this.#db.pragma(`temp_store = ${bytes <= REWRITTEN_BYTES ? "MEMORY" : "DEFAULT"}`);
      this.#db.exec("VACUUM");
    }
    return { isRewritten, isLogEmpty: this.#emptyLog() };
  }

  #emptyLog(): boolean {
    for (let attempt = 0; attempt < LOG_TRIES; attempt++) {
      const [outcome] = this.#db.pragma("wal_checkpoint(TRUNCATE)") as { busy: number }[];
      if (outcome?.busy === 0) return true;
    }
    return false;
  }

  #number(pragma: string): number {
    return Number(this.#db.pragma(pragma, { simple: true }));
  }
}

const OF_DELETED = "bot_key = (SELECT key FROM bot_rows WHERE key = @bot AND deleted_as IS NOT NULL)";
/** The tables of which a bot may have thousands of rows, or large ones; what is in the others is few, and goes with its row. */
const LEFT_BY_BOTS = [
  `conversations WHERE ${OF_DELETED}`,
  `knowledge_passages JOIN knowledge_documents ON knowledge_documents.key = document_key WHERE ${OF_DELETED}`,
  `knowledge_documents WHERE ${OF_DELETED}`,
  `deliveries WHERE ${OF_DELETED}`,
  `bot_versions WHERE ${OF_DELETED}`,
];
const MESSAGES = "(SELECT count(*) FROM turns WHERE conversation_key = conversations.key) AS messages";
const BOT = "(SELECT id FROM bots WHERE bots.key = bot_key) AS bot";
/** A deleted bot's go by themselves. */
const IS_OF_BOT = "EXISTS (SELECT 1 FROM bots WHERE bots.key = bot_key)";
const SELECT = `SELECT id, ${MESSAGES} FROM conversations`;
const IS_IDLE =
  "NOT EXISTS (SELECT 1 FROM turns WHERE conversation_key = conversations.key AND at >= @idleSince)";
