import type { Database, Statement } from "better-sqlite3";

import { type ConversationHistory, HISTORY_TURNS, type Turn, pastTurnOf } from "../../domain/conversation.ts";
import type { ConversationId, RequestId } from "../../domain/ids.ts";
import type { EpochMs } from "../../domain/time.ts";
import type { BotKey } from "../interface/bots.ts";
import type { ConversationKey, TurnKey } from "../interface/conversations.ts";
import { answerColumns, handoffOf, type HandoffRow, type PastTurnRow, toPastTurn } from "../turn-rows.ts";
import type { GroupMember } from "./commit-queue.ts";
import {
  type ConversationTail,
  ConversationTails,
  type DataVersion,
  withAnswer,
  withTurn,
} from "./conversation-tails.ts";

type FoundConversation = Pick<ConversationTail, "key" | "bot">;

/**
 * Reads and writes of conversations on the path of a message. Writes are works of a group commit. The ends of active conversations are kept
 * in memory; a group that writes to one removes it, and puts it back with its new turn once the group is on disk.
 */
export class SqliteTurns implements GroupMember {
  readonly #tails = new ConversationTails();
  /** Tails that the open group will put back. */
  readonly #written = new Map<ConversationId, ConversationTail>();
  #groupVersion: DataVersion | undefined;
  readonly #dataVersion: Statement<[], DataVersion>;
  readonly #findConversation: Statement<[string], FoundConversation>;
  readonly #latestTurns: Statement<[ConversationKey, number], PastTurnRow>;
  readonly #handoff: Statement<[ConversationKey], HandoffRow>;
  readonly #insertConversation: Statement<[string, BotKey, number]>;
  readonly #insertTurn: Statement;
  readonly #updateTurn: Statement;
  readonly #deleteUnanswered: Statement<[RequestId]>;

  constructor(db: Database) {
    this.#dataVersion = db.prepare("PRAGMA data_version").pluck() as Statement<[], DataVersion>;
    this.#findConversation = db.prepare("SELECT key, bot_key AS bot FROM conversations WHERE id = ?");
    this.#latestTurns = db.prepare(`
      SELECT key, request_id, at, state, input, response, intent, response_index, capability_allowed, subject, action,
        CASE WHEN intent IS NULL OR intent IN ('social.help', 'social.repair') THEN receipt ->> '$.suggestions' END AS suggestions,
        CASE WHEN intent IS NULL THEN receipt ->> '$.rule' END AS rule
      FROM turns WHERE conversation_key = ? ORDER BY key DESC LIMIT ?`);
    this.#handoff = db.prepare(`
      SELECT max(live_until) AS live_until, max(updated_at) AS handoff_at FROM handoffs WHERE conversation_key = ?`);
    this.#insertConversation = db.prepare(
      "INSERT INTO conversations (id, bot_key, created_at) VALUES (?, ?, ?)",
    );
    this.#insertTurn = db.prepare(`
      INSERT INTO turns (request_id, conversation_key, bot_version, state, at, input, response, intent,
        capability_allowed, enforcement_reason, schema_enforced, schema_fallback_used, schema_validation_error,
        response_index, subject, standalone, action, receipt)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
    this.#updateTurn = db.prepare(`
      UPDATE turns SET state = ?, response = ?, intent = ?, capability_allowed = ?, enforcement_reason = ?,
        schema_enforced = ?, schema_fallback_used = ?, schema_validation_error = ?, response_index = ?,
        subject = ?, standalone = ?, action = ?, receipt = ?
      WHERE key = ? AND request_id = ?`);
    this.#deleteUnanswered = db.prepare("DELETE FROM turns WHERE request_id = ? AND state = 'unanswered'");
  }

  /** The conversation, if it is this bot's and had a turn at or after `notBefore`. */
  find(id: string, bot: BotKey, notBefore: EpochMs): ConversationHistory | undefined {
    const tail = this.#tailOf(id);
    if (tail?.bot !== bot) return undefined;
    const latest = tail.turns.at(-1);
    if (latest && latest.at < notBefore) return undefined;
    const { key: _, bot: _bot, ...history } = tail;
    return { id: id as ConversationId, ...history };
  }

  openGroup(): void {
    this.#written.clear();
    this.#groupVersion = this.#dataVersion.get()!;
  }

  groupCommitted(): void {
    for (const [id, tail] of this.#written) this.#tails.put(id, tail, this.#groupVersion!);
    this.#written.clear();
  }

  /** Appends the turn; creates the conversation if it does not exist. */
  append(id: ConversationId, bot: BotKey, turn: Turn): TurnKey {
    const tail = this.#takeTail(id);
    const isWhole = tail?.bot === bot;
    const found = isWhole ? tail : this.#findConversation.get(id);
    const key = found?.bot === bot ? found.key : this.#create(id, bot, turn.at);
    const turnKey = this.#insert(key, turn);
    // The end of a stored conversation that was not read is unknown.
    if (isWhole || !found)
      this.#written.set(id, withTurn(isWhole ? tail : { key, bot, turns: [] }, pastTurnOf(turn)));
    return turnKey;
  }

  /** Stores the answer of a turn. @returns false if the turn is gone. */
  answer(id: ConversationId, key: TurnKey, turn: Turn): boolean {
    const tail = this.#takeTail(id);
    const { changes } = this.#updateTurn.run(turn.state, ...answerColumns(turn), key, turn.requestId);
    const answered = tail && withAnswer(tail, pastTurnOf(turn));
    if (changes === 1 && answered) this.#written.set(id, answered);
    return changes === 1;
  }

  /** Removes a turn without an answer that another turn replaces. */
  removeUnanswered(id: ConversationId, request: RequestId): void {
    this.#deleteUnanswered.run(request);
    this.forgetTail(id);
  }

  /** Clears the memory; to be called when this process has erased conversations. */
  forgetTails(): void {
    this.#tails.clear();
    this.#written.clear();
  }

  /** Takes a conversation out of memory; to be called in the group that changes a hand-off of it, or takes a turn out. */
  forgetTail(id: ConversationId): void {
    this.#tails.forget(id);
    this.#written.delete(id);
  }

  #tailOf(id: string): ConversationTail | undefined {
    const version = this.#dataVersion.get()!;
    const known = this.#tails.find(id, version);
    if (known) return known;
    const found = this.#findConversation.get(id);
    if (!found) return undefined;
    const turns = this.#latestTurns.all(found.key, HISTORY_TURNS).toReversed().map(toPastTurn);
    const tail = { ...found, turns, ...handoffOf(this.#handoff.get(found.key)!) };
    this.#tails.put(id, tail, version);
    return tail;
  }

  /** Removes the tail from memory, and returns it as the group has left it so far, or as it was before. */
  #takeTail(id: ConversationId): ConversationTail | undefined {
    const tail = this.#written.get(id) ?? this.#tails.find(id, this.#groupVersion!);
    this.#written.delete(id);
    this.#tails.forget(id);
    return tail;
  }

  #create(id: ConversationId, bot: BotKey, at: EpochMs): ConversationKey {
    return Number(this.#insertConversation.run(id, bot, at).lastInsertRowid) as ConversationKey;
  }

  #insert(conversation: ConversationKey, turn: Turn): TurnKey {
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
}
