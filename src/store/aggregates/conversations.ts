import type { BotKey } from "../interface/bots.ts";
import type {
  ActionTurn,
  ConversationCounts,
  ConversationHead,
  ConversationKey,
  Conversations,
  StoredTurn,
} from "../interface/conversations.ts";
import { type Sql, sql } from "../sql/sql.ts";
import { all, type Engine, first, type Work } from "../sql/work.ts";
import { type ActionTurnRow, toActionTurn, toTurn, type TurnRow } from "../turn-rows.ts";
import { CONVERSATION, CONVERSATION_KEY, TURN_KEY, TURN_PLACE } from "./references.ts";

const SELECT_TURN = sql`
  SELECT ${TURN_KEY} AS key, turns.request_id, at, state, input, response, intent, response_index, capability_allowed, subject,
    action,    bots.id AS bot_id, conversations.id AS conversation_id, bot_version, enforcement_reason, schema_enforced,
    schema_fallback_used, schema_validation_error, standalone, receipt
  FROM turns JOIN conversations ON ${CONVERSATION_KEY} = turns.${CONVERSATION} JOIN bots ON bots.key = bot_key`;

/** Conversations and their turns, for reads that are not on the path of a message. */
export class SqlConversations implements Conversations {
  readonly #engine: Pick<Engine, "read">;

  constructor(engine: Pick<Engine, "read">) {
    this.#engine = engine;
  }

  findHead(id: string): Promise<ConversationHead | undefined> {
    return this.#findHead(sql`conversations.id = ${id}`);
  }

  findHeadOf(key: ConversationKey): Promise<ConversationHead | undefined> {
    return this.#findHead(sql`${CONVERSATION_KEY} = ${key}`);
  }

  findTurnByRequest(id: string): Promise<StoredTurn | undefined> {
    return this.#engine.read(() => findTurn(sql`turns.request_id = ${id}`));
  }

  async listTurns(id: string): Promise<StoredTurn[]> {
    const statement = sql`${SELECT_TURN} WHERE conversations.id = ${id} ORDER BY ${TURN_PLACE}`;
    return (await this.#engine.read(() => all<TurnRow>(statement))).map(toTurn);
  }

  /** A turn in which an action has a part leaves what is known for it, be it nothing. */
  async listActionTurns(id: string): Promise<ActionTurn[]> {
    const statement = sql`
      SELECT turns.request_id, at, action, CASE WHEN action IS NOT NULL THEN receipt END AS receipt
      FROM turns JOIN conversations ON ${CONVERSATION_KEY} = turns.${CONVERSATION}
      WHERE conversations.id = ${id} ORDER BY ${TURN_PLACE}`;
    return (await this.#engine.read(() => all<ActionTurnRow>(statement))).map(toActionTurn);
  }

  async count(bot: BotKey): Promise<ConversationCounts> {
    const statement = sql`
      SELECT count(DISTINCT ${CONVERSATION_KEY}) AS conversations, count(${TURN_KEY}) AS messages
      FROM conversations LEFT JOIN turns ON turns.${CONVERSATION} = ${CONVERSATION_KEY} WHERE bot_key = ${bot}`;
    return (await this.#engine.read(() => first<ConversationCounts>(statement)))!;
  }

  #findHead(condition: Sql): Promise<ConversationHead | undefined> {
    const statement = sql`
      SELECT conversations.id, bots.id AS "botId", conversations.created_at AS "startedAt"
      FROM conversations JOIN bots ON bots.key = bot_key WHERE ${condition}`;
    return this.#engine.read(() => first<ConversationHead>(statement));
  }
}

export function* findTurn(condition: Sql): Work<StoredTurn | undefined> {
  const row = yield* first<TurnRow>(sql`${SELECT_TURN} WHERE ${condition}`);
  return row && toTurn(row);
}
