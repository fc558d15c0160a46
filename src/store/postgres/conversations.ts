import type { BotKey } from "../interface/bots.ts";
import type {
  ConversationHead,
  ConversationKey,
  Conversations,
  ConversationCounts,
  StoredTurn,
} from "../interface/conversations.ts";
import { toTurn, type TurnRow } from "../turn-rows.ts";
import { PAST_TURN_COLUMNS } from "./histories.ts";
import type { Pool } from "./pool.ts";

/** A turn as `toTurn` takes it. */
export const SELECT_TURN = `
SELECT ${PAST_TURN_COLUMNS.replace("request_id AS key", "turns.request_id AS key")}, bots.id AS bot_id,
  conversations.id AS conversation_id, bot_version::float8 AS bot_version, enforcement_reason,
  schema_enforced::int4 AS schema_enforced, schema_fallback_used::int4 AS schema_fallback_used,
  schema_validation_error, receipt
FROM turns JOIN conversations ON conversations.id = conversation_id JOIN bots ON bots.key = conversations.bot_key`;

const FIND_HEAD = `
SELECT conversations.id, bots.id AS "botId", conversations.created_at::float8 AS "startedAt"
FROM conversations JOIN bots ON bots.key = bot_key WHERE conversations.id = $1`;

/** Stored turns, for operators. */
export class PostgresConversations implements Conversations {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async findHead(id: string): Promise<ConversationHead | undefined> {
    const [head] = await this.#pool.query<ConversationHead>(FIND_HEAD, [id]);
    return head;
  }

  findHeadOf(key: ConversationKey): Promise<ConversationHead | undefined> {
    return this.findHead(String(key));
  }

  async findTurnByRequest(id: string): Promise<StoredTurn | undefined> {
    const [row] = await this.#pool.query<TurnRow>(`${SELECT_TURN} WHERE turns.request_id = $1`, [id]);
    return row && toTurn(row);
  }

  async listTurns(id: string): Promise<StoredTurn[]> {
    const text = `${SELECT_TURN} WHERE conversations.id = $1 ORDER BY turns.number`;
    return (await this.#pool.query<TurnRow>(text, [id])).map(toTurn);
  }

  async count(bot: BotKey): Promise<ConversationCounts> {
    const [kept] = await this.#pool.query<ConversationCounts>(
      `SELECT count(DISTINCT conversations.id)::int4 AS conversations, count(turns.request_id)::int4 AS messages
       FROM conversations LEFT JOIN turns ON conversation_id = conversations.id WHERE bot_key = $1`,
      [bot],
    );
    return kept!;
  }
}
