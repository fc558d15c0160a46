import type { Database, Statement } from "better-sqlite3";

import type { EpochMs } from "../../domain/time.ts";
import type { BotKey } from "../interface/bots.ts";
import type {
  ConversationHead,
  ConversationKey,
  ConversationCounts,
  StoredTurn,
  TurnKey,
} from "../interface/conversations.ts";
import { type TurnRow, toTurn } from "../turn-rows.ts";
import { eraseWords } from "./analytics/word-index.ts";

const SELECT_TURN = `
  SELECT turns.*, bots.id AS bot_id, conversations.id AS conversation_id
  FROM turns JOIN conversations ON conversations.key = conversation_key JOIN bots ON bots.key = bot_key`;

const SELECT_HEAD = `
  SELECT conversations.id, bots.id AS botId, conversations.created_at AS startedAt
  FROM conversations JOIN bots ON bots.key = bot_key`;

/** Conversations and their turns, for whoever is not on the path of a message. */
export class SqliteConversations {
  readonly #db: Database;
  readonly #onErased: () => void;
  readonly #findTurn: Statement<[TurnKey], TurnRow>;
  readonly #headOf: Statement<[ConversationKey], ConversationHead>;
  readonly #turnsOf: Statement<[string], TurnRow>;

  /** @param onErased told whenever this store has erased conversations: what else knows of them has to forget them. */
  constructor(db: Database, onErased = () => {}) {
    this.#db = db;
    this.#onErased = onErased;
    this.#findTurn = db.prepare(`${SELECT_TURN} WHERE turns.key = ?`);
    this.#headOf = db.prepare(`${SELECT_HEAD} WHERE conversations.key = ?`);
    this.#turnsOf = db.prepare(`${SELECT_TURN} WHERE conversations.id = ? ORDER BY turns.key`);
  }

  findHead(id: string): ConversationHead | undefined {
    return this.#db.prepare<[string], ConversationHead>(`${SELECT_HEAD} WHERE conversations.id = ?`).get(id);
  }

  findHeadOf(key: ConversationKey): ConversationHead | undefined {
    return this.#headOf.get(key);
  }

  findTurn(key: TurnKey): StoredTurn | undefined {
    const row = this.#findTurn.get(key);
    return row && toTurn(row);
  }

  findTurnByRequest(id: string): StoredTurn | undefined {
    const row = this.#db.prepare<[string], TurnRow>(`${SELECT_TURN} WHERE request_id = ?`).get(id);
    return row && toTurn(row);
  }

  /** Every turn of a conversation, oldest first; empty when there is no such conversation. */
  listTurns(id: string): StoredTurn[] {
    return this.#turnsOf.all(id).map(toTurn);
  }

  /** How much a bot's visitors have written that is still kept. */
  count(bot: BotKey): ConversationCounts {
    return this.#db
      .prepare<[BotKey], ConversationCounts>(`
        SELECT count(DISTINCT conversations.key) AS conversations, count(turns.key) AS messages
        FROM conversations LEFT JOIN turns ON conversation_key = conversations.key WHERE bot_key = ?`)
      .get(bot)!;
  }

  /** Part of the caller's transaction. Deletes up to `limit` conversations without a turn at or after `notBefore`. @returns how many. */
  deleteIdle(notBefore: EpochMs, limit: number): number {
    this.#onErased();
    const { changes } = this.#db
      .prepare(`
        DELETE FROM conversations WHERE key IN (
          SELECT idle.key FROM bots CROSS JOIN conversations AS idle ON idle.bot_key = bots.key
          WHERE idle.created_at < ?
            AND NOT EXISTS (SELECT 1 FROM turns WHERE conversation_key = idle.key AND at >= ?)
          LIMIT ?)`)
      .run(notBefore, notBefore, limit);
    eraseWords(this.#db);
    return changes;
  }
}
