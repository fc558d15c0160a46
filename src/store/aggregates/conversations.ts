import type { BotKey } from "../interface/bots.ts";
import type {
  ActionTurn,
  ConversationCounts,
  ConversationHead,
  ConversationKey,
  StoredTurn,
} from "../interface/conversations.ts";
import { type Sql, sql } from "../sql/sql.ts";
import { all, type Engine, first, type Work } from "../sql/work.ts";
import { type ActionTurnRow, toActionTurn, toTurn, type TurnRow } from "../turn-rows.ts";
import { StorePart } from "./part.ts";
import { CONVERSATION, CONVERSATION_KEY, TURN_KEY, TURN_PLACE } from "./references.ts";

const SELECT_TURN = sql`
  SELECT ${TURN_KEY} AS key, turns.request_id, at, state, input, response, intent, response_index, capability_allowed, subject,
    action,    bots.id AS bot_id, conversations.id AS conversation_id, bot_version, enforcement_reason, schema_enforced,
    schema_fallback_used, schema_validation_error, standalone, receipt
  FROM turns JOIN conversations ON ${CONVERSATION_KEY} = turns.${CONVERSATION} JOIN bots ON bots.key = bot_key`;

/** Stored turns, for operators; the path of a message reads them by `TurnStore`. */
export class SqlConversations extends StorePart<Pick<Engine, "read">> {
  /** A conversation may have no turn: a visitor may begin by asking for a person. */
  findHead(id: string): Promise<ConversationHead | undefined> {
    return this.#findHead(sql`conversations.id = ${id}`);
  }

  /** As `findHead`, by key; undefined if the conversation was deleted since. */
  findHeadOf(key: ConversationKey): Promise<ConversationHead | undefined> {
    return this.#findHead(sql`${CONVERSATION_KEY} = ${key}`);
  }

  findTurnByRequest(id: string): Promise<StoredTurn | undefined> {
    return this.engine.read(() => findTurn(sql`turns.request_id = ${id}`));
  }

  /** Every turn of a conversation, oldest first; empty when there is no such conversation. */
  async listTurns(id: string): Promise<StoredTurn[]> {
    const statement = sql`${SELECT_TURN} WHERE conversations.id = ${id} ORDER BY ${TURN_PLACE}`;
    return (await this.engine.read(() => all<TurnRow>(statement))).map(toTurn);
  }

  /** The same turns without their texts. Only a turn with a part in an action, even an ended one, has an `action` and its receipt. */
  async listActionTurns(id: string): Promise<ActionTurn[]> {
    const statement = sql`
      SELECT turns.request_id, at, action, CASE WHEN action IS NOT NULL THEN receipt END AS receipt
      FROM turns JOIN conversations ON ${CONVERSATION_KEY} = turns.${CONVERSATION}
      WHERE conversations.id = ${id} ORDER BY ${TURN_PLACE}`;
    return (await this.engine.read(() => all<ActionTurnRow>(statement))).map(toActionTurn);
  }

  /** How much a bot's visitors have written that is still kept. */
  async count(bot: BotKey): Promise<ConversationCounts> {
    const statement = sql`
      SELECT count(DISTINCT ${CONVERSATION_KEY}) AS conversations, count(${TURN_KEY}) AS messages
      FROM conversations LEFT JOIN turns ON turns.${CONVERSATION} = ${CONVERSATION_KEY} WHERE bot_key = ${bot}`;
    return (await this.engine.read(() => first<ConversationCounts>(statement)))!;
  }

  #findHead(condition: Sql): Promise<ConversationHead | undefined> {
    const statement = sql`
      SELECT conversations.id, bots.id AS "botId", conversations.created_at AS "startedAt"
      FROM conversations JOIN bots ON bots.key = bot_key WHERE ${condition}`;
    return this.engine.read(() => first<ConversationHead>(statement));
  }
}

export function* findTurn(condition: Sql): Work<StoredTurn | undefined> {
  const row = yield* first<TurnRow>(sql`${SELECT_TURN} WHERE ${condition}`);
  return row && toTurn(row);
}
