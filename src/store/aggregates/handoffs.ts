import type { HandoffEvent } from "../../domain/handoff.ts";
import type { EpochMs } from "../../domain/time.ts";
import {
  changeOf,
  completionOf,
  handoffFromRow,
  type HandoffRow,
  holderOf,
  isHeldByOther,
  isLiveAt,
  isEndShown,
  type KeyedRow,
  repeatedHandoff,
  stateEvent,
} from "../handoff-rows.ts";
import type {
  HandoffFilter,
  HandoffOutcome,
  LiveOutcome,
  LiveTurn,
  NewHandoff,
  PeopleHistory,
  PersonThere,
  StoredHandoff,
  TakeOutcome,
  WatchedEvents,
} from "../interface/handoffs.ts";
import { byEngine, json, type Sql, sql, text, where } from "../sql/sql.ts";
import { allGiven, type Engine, first, firstGiven, run, type Work } from "../sql/work.ts";
import type { SqlChanges } from "./changes.ts";
import { addEvent, findEventByKey, listEvents } from "./handoff-events.ts";
import { addDeliveries, addDeliveriesOnce } from "./outbox.ts";
import { CONVERSATION, CONVERSATION_KEY } from "./references.ts";

/** When an operator last left a hand-off. Events of earlier hand-offs of the conversation are older than this one. */
const GIVEN_BACK_AT = sql`
  SELECT max(at) FROM handoff_events WHERE handoff_events.${CONVERSATION} = handoffs.${CONVERSATION}
    AND kind = 'state' AND text = 'open' AND at >= handoffs.created_at`;

/** Open, and asked for again since an operator last left it. The index on rows that are not closed finds the candidates. */
const IS_WAITING = sql`state <> 'closed' AND state = 'open' AND coalesce((${GIVEN_BACK_AT}), 0) < handoffs.updated_at`;
const IS_GIVEN_BACK = sql`state <> 'closed' AND state = 'open' AND (${GIVEN_BACK_AT}) >= handoffs.updated_at`;

const HANDOFFS = sql`
  handoffs JOIN conversations ON ${CONVERSATION_KEY} = handoffs.${CONVERSATION} JOIN bots ON bots.key = bot_key`;

const COLUMNS = sql`
  handoffs.id, conversations.id AS "conversationId", bots.id AS "botId", state, fields, shares_transcript AS "sharesTranscript",
  handoffs.created_at AS "createdAt", handoffs.updated_at AS "updatedAt", (${GIVEN_BACK_AT}) AS "givenBackAt", operator,
  live_until AS "liveUntil"`;

const SELECT_HANDOFF = sql`SELECT ${COLUMNS} FROM ${HANDOFFS}`;

/**
 * Changes of a hand-off, and messages while it is live, lock its row. The conversation's row is locked first, as an erasure does: the
 * opposite order would deadlock.
 */
const HOLDING = byEngine({ sqlite: "", postgres: "FOR KEY SHARE OF conversations FOR UPDATE OF handoffs" });
const HOLDING_FREE = byEngine({
  sqlite: "",
  postgres: "FOR KEY SHARE OF conversations SKIP LOCKED FOR UPDATE OF handoffs SKIP LOCKED",
});

/**
 * Two hand-offs of one conversation, or of one key, lock the conversation's row one after the other. Turns and events that refer to the
 * conversation do not wait for this lock, because a transaction that holds a hand-off's row inserts them.
 */
const HOLDING_CONVERSATION = byEngine({ sqlite: "", postgres: "FOR NO KEY UPDATE OF conversations" });

/** Actions of an engine when an operator answers. */
export interface HandoffHooks {
  /** Stores a message to a person with its turn. */
  recordLive: (record: LiveTurn) => Promise<LiveOutcome>;
  /** Told in the transaction in which a hand-off is opened or changed. */
  onHandoffChanged?: (conversationId: StoredHandoff["conversationId"]) => void;
}

interface SqlHandoffsParts extends HandoffHooks {
  engine: Engine;
  changes: Pick<SqlChanges, "append">;
}

/** Hand-offs: visitors who asked for a person. */
export class SqlHandoffs {
  readonly #parts: SqlHandoffsParts;

  constructor(parts: SqlHandoffsParts) {
    this.#parts = parts;
  }

  /** Opens a hand-off, or completes the open one: a conversation has one at a time. */
  open(handoff: NewHandoff): Promise<HandoffOutcome> {
    return this.#parts.engine.write(() => this.#open(handoff));
  }

  find(id: string): Promise<StoredHandoff | undefined> {
    return this.#parts.engine.read(() => findWhere(sql`handoffs.id = ${id}`));
  }

  /** The conversation's hand-off that is not closed; there is at most one. */
  findOpen(conversationId: string): Promise<StoredHandoff | undefined> {
    return this.#parts.engine.read(() => findWhere(isOpen(conversationId)));
  }

  /** The latest first; with `waiting`, the longest wait first. Ids are in the order of time. */
  async list({ bot, state, waiting, after, limit }: HandoffFilter): Promise<StoredHandoff[]> {
    const [comesAfter, order] = waiting === true ? [">", "ASC"] : ["<", "DESC"];
    const filter = where(
      waiting === undefined ? undefined : waiting ? IS_WAITING : IS_GIVEN_BACK,
      bot === undefined ? undefined : sql`bot_key = ${bot}`,
      state === undefined ? undefined : sql`state = ${state}`,
      after === undefined ? undefined : sql`handoffs.id ${text(comesAfter)} ${after}`,
    );
    const statement = sql`${SELECT_HANDOFF} ${filter} ORDER BY handoffs.id ${text(order)} LIMIT ${limit}`;
    const rows = await this.#parts.engine.read(() => allGiven<HandoffRow>(statement));
    return rows.map(handoffFromRow);
  }

  /** Number of visitors who wait for a person. */
  async countWaiting(): Promise<number> {
    const statement = sql`SELECT count(*) AS waiting FROM ${HANDOFFS} WHERE ${IS_WAITING}`;
    return (await this.#parts.engine.read(() => first<{ waiting: number }>(statement)))!.waiting;
  }

  /** @returns false when there is no such hand-off, or it is closed. */
  close(id: string, at: EpochMs): Promise<boolean> {
    return this.#parts.engine.write(() => this.#close(id, at));
  }

  /**
   * Silences the bot: the visitor's messages go to the operator. If the operator has it already, the time is extended.
   *
   * @param from the operator whom it may be taken from.
   */
  take(person: PersonThere, from?: string): Promise<TakeOutcome> {
    return this.#parts.engine.write(() => this.#take(person, from));
  }

  /**
   * Stores a message of the operator.
   *
   * @param keyHash idempotency key of the message: sent twice under one key, it is stored once.
   * @returns undefined if no operator has taken it over, or it was given back.
   */
  say(person: PersonThere, message: string, keyHash?: Uint8Array): Promise<HandoffEvent | undefined> {
    return this.#parts.engine.write(() => this.#say(person, message, keyHash));
  }

  /** Gives the conversation back to the bot; the hand-off stays open. @returns false if it was not live. */
  release(id: string, at: EpochMs): Promise<boolean> {
    return this.#parts.engine.write(() => this.#release(id, at));
  }

  /** Releases hand-offs whose time is over. Reads first, because a write costs a commit, and few calls find any. @returns how many. */
  async releaseExpired(now: EpochMs): Promise<number> {
    const expired = sql`${SELECT_HANDOFF} WHERE state = 'live' AND live_until <= ${now}`;
    const isAny = (await this.#parts.engine.read(() => first(sql`${expired} LIMIT 1`))) !== undefined;
    return isAny ? this.#parts.engine.write(() => this.#releaseAll(expired, now)) : 0;
  }

  /** Stores a visitor's message to the operator, which is not counted against the cap, and adds its event. */
  recordLive(record: LiveTurn): Promise<LiveOutcome> {
    return this.#parts.recordLive(record);
  }

  /** All hand-offs and events of a conversation; empty if there is no such conversation. */
  historyOf(conversationId: string): Promise<PeopleHistory> {
    return this.#parts.engine.read(function* () {
      const rows = yield* allGiven<HandoffRow>(
        sql`${SELECT_HANDOFF} WHERE conversations.id = ${conversationId} ORDER BY handoffs.key`,
      );
      const events = yield* listEvents([{ conversationId, after: 0 }], Number.MAX_SAFE_INTEGER);
      return { handoffs: rows.map(handoffFromRow), events: events.get(conversationId) ?? [] };
    });
  }

  /** New events of these conversations, by conversation, in order; at most `limit` of each. */
  listEvents(watched: readonly WatchedEvents[], limit: number): Promise<Map<string, HandoffEvent[]>> {
    return this.#parts.engine.read(() => listEvents(watched, limit));
  }

  *#open(handoff: NewHandoff): Work<HandoffOutcome> {
    this.#parts.onHandoffChanged?.(handoff.conversationId);
    return yield* open(handoff);
  }

  *#close(id: string, at: EpochMs): Work<boolean> {
    const handoff = yield* hold(sql`handoffs.id = ${id}`);
    if (!handoff || handoff.state === "closed") return false;
    yield* this.#end(handoff, "closed", at);
    yield* this.#parts.changes.append(changeOf("handoff.closed", handoff, "closed"));
    return true;
  }

  *#take(person: PersonThere, from: string | undefined): Work<TakeOutcome> {
    const handoff = yield* hold(sql`handoffs.id = ${person.id}`);
    if (!handoff || handoff.state === "closed") return { outcome: "ended" };
    const holder = holderOf(handoff, person.at);
    if (isHeldByOther(holder, person, from)) return { outcome: "held", by: holder };
    yield* this.#setLive(handoff, person);
    if (holder !== person.operator) {
      yield* addEvent(handoff.conversationId, stateEvent("live", person.at, person.name));
      yield* this.#parts.changes.append(changeOf("handoff.taken", handoff, "live"));
    }
    return { outcome: "taken", handoff: (yield* findWhere(sql`handoffs.id = ${person.id}`))! };
  }

  *#say(
    person: PersonThere,
    message: string,
    keyHash: Uint8Array | undefined,
  ): Work<HandoffEvent | undefined> {
    const handoff = yield* hold(sql`handoffs.id = ${person.id}`);
    if (!handoff) return undefined;
    const { conversationId } = handoff;
    const earlier = keyHash && (yield* findEventByKey(conversationId, keyHash));
    if (earlier) return earlier;
    if (!isLiveAt(handoff, person.at)) return undefined;
    // The operator who took the hand-off over keeps it, even if a colleague writes.
    yield* this.#setLive(handoff, { ...person, operator: handoff.operator ?? person.operator });
    const { at, name } = person;
    return yield* addEvent(conversationId, { at, kind: "operator", name, text: message }, keyHash);
  }

  *#release(id: string, at: EpochMs): Work<boolean> {
    const handoff = yield* hold(sql`handoffs.id = ${id}`);
    if (handoff?.state !== "live") return false;
    yield* this.#end(handoff, "open", at);
    yield* this.#parts.changes.append(changeOf("handoff.released", handoff, "open"));
    return true;
  }

  *#releaseAll(expired: Sql, now: EpochMs): Work<number> {
    const rows = yield* allGiven<HandoffRow>(sql`${expired} ${HOLDING_FREE}`);
    for (const row of rows) yield* this.#end(handoffFromRow(row), "open", now);
    return rows.length;
  }

  *#setLive({ id, conversationId }: StoredHandoff, { operator, at, until }: PersonThere): Work<void> {
    yield* run(sql`
      UPDATE handoffs SET state = 'live', operator = ${operator}, live_until = ${until}, updated_at = ${at} WHERE id = ${id}`);
    this.#parts.onHandoffChanged?.(conversationId);
  }

  /** The operator leaves; the bot answers again. */
  *#end({ id, conversationId, state }: StoredHandoff, next: "open" | "closed", at: EpochMs): Work<void> {
    yield* run(sql`
      UPDATE handoffs SET state = ${next}, operator = NULL, live_until = NULL, updated_at = ${at} WHERE id = ${id}`);
    if (isEndShown(state, next)) yield* addEvent(conversationId, stateEvent(next, at));
    this.#parts.onHandoffChanged?.(conversationId);
  }
}

/** Whether an operator has the conversation. Locks the hand-off until the visitor's message is stored. */
export function* isLive(conversationId: string, at: EpochMs): Work<boolean> {
  const live = yield* hold(sql`conversations.id = ${conversationId} AND state = 'live'`);
  return live !== undefined && isLiveAt(live, at);
}

function* open(handoff: NewHandoff): Work<HandoffOutcome> {
  const { id, conversationId, bot, at, fields, sharesTranscript, idempotency, deliveries } = handoff;
  const earlier = yield* findRepeated(handoff);
  if (earlier) return earlier;
  yield* run(sql`
    INSERT INTO conversations (id, bot_key, created_at) SELECT ${conversationId}, key, ${at} FROM bots WHERE key = ${bot}
    ON CONFLICT (id) DO NOTHING`);
  const conversation = yield* first(sql`
    SELECT conversations.id FROM conversations JOIN bots ON bots.key = bot_key
    WHERE conversations.id = ${conversationId} AND bot_key = ${bot} ${HOLDING_CONVERSATION}`);
  if (!conversation) return { outcome: "bot_deleted" };
  const there = yield* hold(isOpen(conversationId));
  if (there) return (yield* findRepeated(handoff)) ?? (yield* complete(there, handoff));
  const inserted = yield* run(sql`
    INSERT INTO handoffs (id, ${CONVERSATION}, state, fields, shares_transcript, created_at, updated_at, key_hash, body_hash)
    SELECT ${id}, ${CONVERSATION_KEY}, 'open', ${json(fields)}, ${sharesTranscript}, ${at}, ${at},
      ${idempotency?.keyHash}, ${idempotency?.bodyHash}
    FROM conversations WHERE id = ${conversationId}
    ON CONFLICT (key_hash) WHERE key_hash IS NOT NULL DO NOTHING`);
  if (inserted === 0) return (yield* findRepeated(handoff))!;
  yield* addDeliveries(deliveries, { conversationId, subject: id, at });
  return { outcome: "opened", handoff: (yield* findWhere(sql`handoffs.id = ${id}`))!, isNew: true };
}

/** Adds a repeated request to the open hand-off, and notifies the team again. Requires the hand-off's lock. */
function* complete(there: StoredHandoff, asked: NewHandoff): Work<HandoffOutcome> {
  const { id, conversationId } = there;
  const completion = completionOf(there, asked);
  if (completion.kind === "too_long") return { outcome: "too_long" };
  if (asked.idempotency) {
    const { keyHash, bodyHash } = asked.idempotency;
    const saved = yield* run(sql`
      INSERT INTO handoff_keys (handoff_key, key_hash, body_hash) SELECT key, ${keyHash}, ${bodyHash} FROM handoffs WHERE id = ${id}
      ON CONFLICT (key_hash) DO NOTHING`);
    if (saved === 0) return (yield* findRepeated(asked))!;
  }
  if (completion.kind === "unchanged") return { outcome: "already_open", handoff: there, isNew: false };
  const { fields, sharesTranscript, at } = completion;
  yield* run(sql`
    UPDATE handoffs SET fields = ${json(fields)}, shares_transcript = ${sharesTranscript}, updated_at = ${at} WHERE id = ${id}`);
  yield* addDeliveriesOnce(asked.deliveries, { conversationId, subject: id, at });
  return { outcome: "completed", handoff: (yield* findWhere(sql`handoffs.id = ${id}`))!, isNew: false };
}

/** The hand-off that a key has opened or completed, together with the body's hash. */
function* findRepeated(handoff: NewHandoff): Work<HandoffOutcome | undefined> {
  if (!handoff.idempotency) return undefined;
  const { keyHash } = handoff.idempotency;
  const row = yield* firstGiven<KeyedRow>(sql`
    SELECT ${COLUMNS}, keyed.body_hash AS "bodyHash", is_completed AS "isCompleted" FROM ${HANDOFFS} JOIN (
      SELECT key AS handoff_key, body_hash, 0 AS is_completed FROM handoffs WHERE key_hash = ${keyHash}
      UNION ALL SELECT handoff_key, body_hash, 1 FROM handoff_keys WHERE key_hash = ${keyHash}
    ) AS keyed ON keyed.handoff_key = handoffs.key
    ORDER BY is_completed LIMIT 1`);
  return row && repeatedHandoff(row, handoff);
}

/** Condition: the conversation's hand-off that is not closed. There is at most one. */
function isOpen(conversationId: string): Sql {
  return sql`conversations.id = ${conversationId} AND state <> 'closed'`;
}

function* findWhere(condition: Sql): Work<StoredHandoff | undefined> {
  const row = yield* firstGiven<HandoffRow>(sql`${SELECT_HANDOFF} WHERE ${condition}`);
  return row && handoffFromRow(row);
}

/** The same with a lock: no other transaction changes it until the end of the transaction. */
function* hold(condition: Sql): Work<StoredHandoff | undefined> {
  const row = yield* firstGiven<HandoffRow>(sql`${SELECT_HANDOFF} WHERE ${condition} ${HOLDING}`);
  return row && handoffFromRow(row);
}
