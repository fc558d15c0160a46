import type { Database, Statement } from "better-sqlite3";

import { type ChatMetadata, Suggestion } from "../domain/chat.ts";
import { type ConversationHistory, HISTORY_TURNS, type PastTurn, type Turn } from "../domain/conversation.ts";
import { DecisionReceipt } from "../domain/decision.ts";
import type { BotId, ConversationId, IntentName, RequestId } from "../domain/ids.ts";
import { listOf } from "../domain/schemas.ts";
import type { EpochMs } from "../domain/time.ts";
import { type ChangeRecorder, NO_CHANGES } from "./changes/change-log.ts";
import { deletionOf } from "./changes/deletion.ts";
import type { BotKey } from "./interface/bots.ts";
import type { TurnKey, ConversationKey, StoredTurn, KeptConversations } from "./interface/conversations.ts";
import { JsonColumn } from "./json-column.ts";

/** A turn as statements read it, whatever the engine. */
export interface PastTurnRow {
  key: TurnKey;
  request_id: RequestId;
  at: number;
  state: Turn["state"];
  input: string;
  response: string;
  intent: IntentName | null;
  response_index: number | null;
  capability_allowed: number;
  /** A JSON list; only where past turns are read for the next one. */
  suggestions?: string | null;
}

export interface TurnRow extends PastTurnRow {
  bot_id: BotId;
  conversation_id: ConversationId;
  bot_version: number;
  enforcement_reason: ChatMetadata["enforcementReason"] | null;
  schema_enforced: number;
  schema_fallback_used: number;
  schema_validation_error: string | null;
  receipt: string;
}

const RECEIPTS = new JsonColumn("turns.receipt", DecisionReceipt);
const SUGGESTIONS = new JsonColumn("turns.receipt.suggestions", listOf(Suggestion));

const SELECT_TURN = `
  SELECT turns.*, bots.id AS bot_id, conversations.id AS conversation_id
  FROM turns JOIN conversations ON conversations.key = conversation_key JOIN bots ON bots.key = bot_key`;

/** Conversations and their turns. Writes are parts of the caller's transaction. */
export class ConversationStore {
  readonly #db: Database;
  readonly #changes: ChangeRecorder;
  readonly #findKey: Statement<[string, BotKey], ConversationKey>;
  readonly #insert: Statement<[string, BotKey, number]>;
  readonly #insertTurn: Statement;
  readonly #updateTurn: Statement;
  readonly #latestTurns: Statement<[ConversationKey, number], PastTurnRow>;
  readonly #turnsOf: Statement<[ConversationKey], TurnRow>;

  constructor(db: Database, changes: ChangeRecorder = NO_CHANGES) {
    this.#db = db;
    this.#changes = changes;
    this.#findKey = db
      .prepare("SELECT key FROM conversations WHERE id = ? AND bot_key = ?")
      .pluck() as Statement<[string, BotKey], ConversationKey>;
    this.#insert = db.prepare("INSERT INTO conversations (id, bot_key, created_at) VALUES (?, ?, ?)");
    this.#insertTurn = db.prepare(`
      INSERT INTO turns (request_id, conversation_key, bot_version, state, at, input, response, intent,
        capability_allowed, enforcement_reason, schema_enforced, schema_fallback_used, schema_validation_error,
        response_index, receipt)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
    this.#updateTurn = db.prepare(`
      UPDATE turns SET state = ?, response = ?, intent = ?, capability_allowed = ?, enforcement_reason = ?,
        schema_enforced = ?, schema_fallback_used = ?, schema_validation_error = ?, response_index = ?, receipt = ?
      WHERE key = ? AND request_id = ?`);
    this.#latestTurns = db.prepare(`
      SELECT key, request_id, at, state, input, response, intent, response_index, capability_allowed,
        CASE WHEN intent IS NULL OR intent = 'social.help' THEN receipt ->> '$.suggestions' END AS suggestions
      FROM turns WHERE conversation_key = ? ORDER BY key DESC LIMIT ?`);
    this.#turnsOf = db.prepare(`${SELECT_TURN} WHERE conversation_key = ? ORDER BY turns.key`);
  }

  /** The conversation, if it is this bot's and had a turn at or after `notBefore`. */
  find(id: string, bot: BotKey, notBefore: EpochMs): ConversationHistory | undefined {
    const key = this.#findKey.get(id, bot);
    if (key === undefined) return undefined;
    const turns = this.#latestTurns.all(key, HISTORY_TURNS).toReversed().map(toPastTurn);
    const latest = turns.at(-1);
    if (latest && latest.at < notBefore) return undefined;
    return { id: id as ConversationId, turns };
  }

  /** Appends the turn; creates the conversation if it is not there, or no longer. */
  append(id: ConversationId, bot: BotKey, turn: Turn): TurnKey {
    const conversation = this.#findKey.get(id, bot) ?? this.#insert.run(id, bot, turn.at).lastInsertRowid;
    const { lastInsertRowid } = this.#insertTurn.run(
      turn.requestId,
      conversation,
      turn.botVersion,
      turn.state,
      turn.at,
      turn.input,
      ...answerColumns(turn),
    );
    return Number(lastInsertRowid) as TurnKey;
  }

  /** Puts the answer into a turn that is there already. @returns false when it is there no longer. */
  answer(key: TurnKey, turn: Turn): boolean {
    return this.#updateTurn.run(turn.state, ...answerColumns(turn), key, turn.requestId).changes === 1;
  }

  findTurn(key: TurnKey): StoredTurn | undefined {
    const row = this.#db.prepare<[TurnKey], TurnRow>(`${SELECT_TURN} WHERE turns.key = ?`).get(key);
    return row && toTurn(row);
  }

  findTurnByRequest(id: string): StoredTurn | undefined {
    const row = this.#db.prepare<[string], TurnRow>(`${SELECT_TURN} WHERE request_id = ?`).get(id);
    return row && toTurn(row);
  }

  /** Every turn of a conversation, oldest first; empty when there is no such conversation. */
  listTurns(id: string): StoredTurn[] {
    return this.#db
      .prepare<[string], TurnRow>(`${SELECT_TURN} WHERE conversations.id = ? ORDER BY turns.key`)
      .all(id)
      .map(toTurn);
  }

  /** As `listTurns`, of a conversation that was found before; empty when it has been deleted since. */
  listTurnsOf(key: ConversationKey): StoredTurn[] {
    return this.#turnsOf.all(key).map(toTurn);
  }

  /** How much a bot's visitors have written that is still kept. */
  count(bot: BotKey): KeptConversations {
    return this.#db
      .prepare<[BotKey], KeptConversations>(`
        SELECT count(DISTINCT conversations.key) AS conversations, count(turns.key) AS messages
        FROM conversations LEFT JOIN turns ON conversation_key = conversations.key WHERE bot_key = ?`)
      .get(bot)!;
  }

  /** @returns false when there is no such conversation. */
  delete(id: string): boolean {
    return this.#db
      .transaction(() => {
        const found = this.#db
          .prepare<[string], { botId: BotId; messages: number }>(`
            SELECT bots.id AS botId, (SELECT count(*) FROM turns WHERE conversation_key = conversations.key) AS messages
            FROM conversations JOIN bots ON bots.key = bot_key WHERE conversations.id = ?`)
          .get(id);
        if (!found) return false;
        this.#db.prepare("DELETE FROM conversations WHERE id = ?").run(id);
        this.#changes.append(deletionOf([id as ConversationId], [found.botId], found.messages));
        return true;
      })
      .immediate();
  }

  /** Deletes up to `limit` conversations without a turn at or after `notBefore`. @returns how many. */
  deleteIdle(notBefore: EpochMs, limit: number): number {
    return this.#db
      .prepare(`
        DELETE FROM conversations WHERE key IN (
          SELECT idle.key FROM bots CROSS JOIN conversations AS idle ON idle.bot_key = bots.key
          WHERE idle.created_at < ?
            AND NOT EXISTS (SELECT 1 FROM turns WHERE conversation_key = idle.key AND at >= ?)
          LIMIT ?)`)
      .run(notBefore, notBefore, limit).changes;
  }
}

/** From `response` on, in the order of the table. */
function answerColumns({ response, intent, metadata, responseIndex, receipt }: Turn) {
  return [
    response,
    intent ?? null,
    Number(metadata.capabilityAllowed),
    metadata.enforcementReason ?? null,
    Number(metadata.schemaEnforced),
    Number(metadata.schemaFallbackUsed),
    metadata.schemaValidationError ?? null,
    responseIndex ?? null,
    JSON.stringify(receipt),
  ];
}

export function toPastTurn(row: PastTurnRow): PastTurn {
  return {
    requestId: row.request_id,
    at: row.at,
    state: row.state,
    input: row.input,
    response: row.response,
    capabilityAllowed: row.capability_allowed === 1,
    ...(row.intent !== null && { intent: row.intent }),
    ...(row.response_index !== null && { responseIndex: row.response_index }),
    ...(row.suggestions && { suggestions: SUGGESTIONS.parse(row.suggestions, `turn ${row.key}`) }),
  };
}

export function toTurn(row: TurnRow): StoredTurn {
  const { capabilityAllowed, ...past } = toPastTurn(row);
  const receipt = RECEIPTS.parse(row.receipt, `turn ${row.key} (${row.request_id})`);
  return {
    ...past,
    botId: row.bot_id,
    conversationId: row.conversation_id,
    botVersion: row.bot_version,
    metadata: {
      capabilityAllowed,
      ...(row.enforcement_reason && { enforcementReason: row.enforcement_reason }),
      schemaEnforced: row.schema_enforced === 1,
      schemaFallbackUsed: row.schema_fallback_used === 1,
      ...(row.schema_validation_error !== null && { schemaValidationError: row.schema_validation_error }),
      ...(receipt.suggestions && { suggestions: [...receipt.suggestions] }),
    },
    receipt,
  };
}
