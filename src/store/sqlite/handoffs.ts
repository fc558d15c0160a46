import type { Database } from "better-sqlite3";

import type { HandoffEvent } from "../../domain/handoff.ts";
import type { EpochMs } from "../../domain/time.ts";
import { completionOf } from "../complete-handoff.ts";
import {
  type HandoffTableRow,
  handoffFromRow,
  changeOf,
  stateEvent,
  isToldOfEnd,
  isLiveAt,
  holderOf,
  isHeldByOther,
  type KeyedRow,
  repeatedHandoff,
} from "../handoff-rows.ts";
import type {
  HandoffFilter,
  HandoffOutcome,
  NewHandoff,
  PersonThere,
  StoredHandoff,
  TakeOutcome,
} from "../interface/handoffs.ts";
import type { ChangeRecorder } from "./change-recorder.ts";
import type { HandoffEvents } from "./handoff-events.ts";
import type { SqliteOutbox } from "./outbox.ts";

/** When a person who had taken a hand-off over was last gone. Events of a conversation's earlier hand-offs are older than it. */
const GIVEN_BACK_AT = `
  SELECT max(at) FROM handoff_events WHERE handoff_events.conversation_key = handoffs.conversation_key
    AND kind = 'state' AND text = 'open' AND at >= handoffs.created_at`;

/** Who asks again is newer than what was given back. The index of what is not closed finds those that may wait. */
const IS_WAITING = `state <> 'closed' AND state = 'open' AND coalesce((${GIVEN_BACK_AT}), 0) < handoffs.updated_at`;

const IS_GIVEN_BACK = `state <> 'closed' AND state = 'open' AND (${GIVEN_BACK_AT}) >= handoffs.updated_at`;

const HANDOFFS =
  "handoffs JOIN conversations ON conversations.key = conversation_key JOIN bots ON bots.key = bot_key";

const SELECT_HANDOFF = `
  SELECT handoffs.*, (${GIVEN_BACK_AT}) AS given_back_at, conversations.id AS conversation_id, bots.id AS bot_id
  FROM ${HANDOFFS}`;

/** With the hash of the body that completed it. */
const SELECT_COMPLETED = `
  SELECT handoffs.*, handoff_keys.body_hash AS body_hash, conversations.id AS conversation_id, bots.id AS bot_id
  FROM handoff_keys JOIN handoffs ON handoffs.key = handoff_key
  JOIN conversations ON conversations.key = conversation_key JOIN bots ON bots.key = bot_key`;

export interface SqliteHandoffsParts {
  db: Database;
  outbox: SqliteOutbox;
  events: HandoffEvents;
  changes: ChangeRecorder;
  /** Told in the transaction in which a person, or the bot again, is to answer a conversation. */
  onAnswererChanged: (conversationId: StoredHandoff["conversationId"]) => void;
}

/** Visitors who asked for a person. Writes are parts of the caller's transaction. */
export class SqliteHandoffs {
  readonly #db: Database;
  readonly #outbox: SqliteOutbox;
  readonly #events: HandoffEvents;
  readonly #changes: ChangeRecorder;
  readonly #onAnswererChanged: SqliteHandoffsParts["onAnswererChanged"];

  constructor({ db, outbox, events, changes, onAnswererChanged }: SqliteHandoffsParts) {
    this.#db = db;
    this.#outbox = outbox;
    this.#events = events;
    this.#changes = changes;
    this.#onAnswererChanged = onAnswererChanged;
  }

  open(handoff: NewHandoff): HandoffOutcome {
    const { idempotency, conversationId, bot } = handoff;
    const earlier = idempotency && this.#findByKey(idempotency.keyHash);
    if (earlier) return repeatedHandoff(earlier, handoff);
    const isThere = this.#db.prepare("SELECT 1 FROM bots WHERE key = ?").get(bot) !== undefined;
    if (!isThere) return { outcome: "bot_deleted" };
    this.#db
      .prepare(
        "INSERT INTO conversations (id, bot_key, created_at) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING",
      )
      .run(conversationId, bot, handoff.at);
    const open = this.findOpen(conversationId);
    if (open) return this.#complete(open, handoff);
    this.#insert(handoff);
    const { id: subject, at, deliveries } = handoff;
    this.#outbox.add(deliveries, { conversationId, subject, at });
    return { outcome: "opened", handoff: this.find(handoff.id)!, isNew: true };
  }

  find(id: string): StoredHandoff | undefined {
    const row = this.#findWhere("handoffs.id = ?", id);
    return row && handoffFromRow(row);
  }

  findOpen(conversationId: string): StoredHandoff | undefined {
    const row = this.#findWhere("conversations.id = ? AND state <> 'closed'", conversationId);
    return row && handoffFromRow(row);
  }

  /** The latest first, of those who wait the first: ids are in the order of time. */
  list({ bot, state, waiting, after, limit }: HandoffFilter): StoredHandoff[] {
    const isWaiting = waiting === undefined ? "TRUE" : waiting ? IS_WAITING : IS_GIVEN_BACK;
    const [comesAfter, order] = waiting === true ? [">", "ASC"] : ["<", "DESC"];
    return this.#db
      .prepare<unknown[], HandoffTableRow>(`
        ${SELECT_HANDOFF} WHERE ${isWaiting} AND ($bot IS NULL OR bot_key = $bot) AND ($state IS NULL OR state = $state)
          AND ($after IS NULL OR handoffs.id ${comesAfter} $after)
        ORDER BY handoffs.id ${order} LIMIT $limit`)
      .all({ bot: bot ?? null, state: state ?? null, after: after ?? null, limit })
      .map(handoffFromRow);
  }

  countWaiting(): number {
    return this.#db
      .prepare<[], number>(`SELECT count(*) FROM ${HANDOFFS} WHERE ${IS_WAITING}`)
      .pluck()
      .get()!;
  }

  /** Oldest first. */
  listOf(conversationId: string): StoredHandoff[] {
    return this.#db
      .prepare<[string], HandoffTableRow>(
        `${SELECT_HANDOFF} WHERE conversations.id = ? ORDER BY handoffs.key`,
      )
      .all(conversationId)
      .map(handoffFromRow);
  }

  /** @returns false when there is no such hand-off, or it is closed. */
  close(id: string, at: EpochMs): boolean {
    const open = this.find(id);
    if (!open || open.state === "closed") return false;
    this.#end(open, "closed", at);
    this.#changes.append(changeOf("handoff.closed", open, "closed"));
    return true;
  }

  take(person: PersonThere, from?: string): TakeOutcome {
    const handoff = this.find(person.id);
    if (!handoff || handoff.state === "closed") return { outcome: "ended" };
    const holder = holderOf(handoff, person.at);
    if (isHeldByOther(holder, person, from)) return { outcome: "held", by: holder };
    this.#setLive(handoff, person);
    if (holder !== person.operator) {
      this.#events.add(handoff.conversationId, stateEvent("live", person.at, person.name));
      this.#changes.append(changeOf("handoff.taken", handoff, "live"));
    }
    return { outcome: "taken", handoff: this.find(person.id)! };
  }

  say(person: PersonThere, text: string, keyHash?: Uint8Array): HandoffEvent | undefined {
    const handoff = this.find(person.id);
    const earlier = handoff && keyHash && this.#events.findByKey(handoff.conversationId, keyHash);
    if (earlier) return earlier;
    if (!handoff || !isLiveAt(handoff, person.at)) return undefined;
    // Whoever took it over keeps it, also where a colleague writes.
    this.#setLive(handoff, { ...person, operator: handoff.operator ?? person.operator });
    const { at, name } = person;
    return this.#events.add(handoff.conversationId, { at, kind: "operator", name, text }, keyHash);
  }

  /** @returns false when it was not live. */
  release(id: string, at: EpochMs): boolean {
    const handoff = this.find(id);
    if (handoff?.state !== "live") return false;
    this.#end(handoff, "open", at);
    this.#changes.append(changeOf("handoff.released", handoff, "open"));
    return true;
  }

  hasExpired(now: EpochMs): boolean {
    const expired = this.#db.prepare(
      `SELECT 1 FROM ${HANDOFFS} WHERE state = 'live' AND live_until <= ? LIMIT 1`,
    );
    return expired.get(now) !== undefined;
  }

  /** @returns how many. */
  releaseExpired(now: EpochMs): number {
    const expired = this.#db
      .prepare<[number], HandoffTableRow>(`${SELECT_HANDOFF} WHERE state = 'live' AND live_until <= ?`)
      .all(now)
      .map(handoffFromRow);
    for (const handoff of expired) this.#end(handoff, "open", now);
    return expired.length;
  }

  /** The visitor writes to the person. @returns false where none is there. */
  addVisitorsMessage(conversationId: string, at: EpochMs, text: string): boolean {
    const live = this.#findWhere("conversations.id = ? AND state = 'live'", conversationId);
    if (!live || !isLiveAt(handoffFromRow(live), at)) return false;
    return this.#events.add(conversationId, { at, kind: "visitor", text }) !== undefined;
  }

  #setLive({ id, conversationId }: StoredHandoff, { operator, at, until }: PersonThere): void {
    this.#db
      .prepare(
        "UPDATE handoffs SET state = 'live', operator = ?, live_until = ?, updated_at = ? WHERE id = ?",
      )
      .run(operator, until, at, id);
    this.#onAnswererChanged(conversationId);
  }

  /** Nobody is there any more: the bot answers. */
  #end({ id, conversationId, state }: StoredHandoff, next: "open" | "closed", at: EpochMs): void {
    this.#db
      .prepare(
        "UPDATE handoffs SET state = ?, operator = NULL, live_until = NULL, updated_at = ? WHERE id = ?",
      )
      .run(next, at, id);
    if (isToldOfEnd(state, next)) this.#events.add(conversationId, stateEvent(next, at));
    this.#onAnswererChanged(conversationId);
  }

  /** Who asks again completes what is there, and the team is told again. */
  #complete(open: StoredHandoff, asked: NewHandoff): HandoffOutcome {
    const completion = completionOf(open, asked);
    if (completion.kind === "too_long") return { outcome: "too_long" };
    if (asked.idempotency) this.#saveKey(open, asked.idempotency);
    if (completion.kind === "unchanged") return { outcome: "already_open", handoff: open, isNew: false };
    const { fields, sharesTranscript, at } = completion;
    this.#db
      .prepare("UPDATE handoffs SET fields = ?, shares_transcript = ?, updated_at = ? WHERE id = ?")
      .run(JSON.stringify(fields), Number(sharesTranscript), at, open.id);
    const { id: subject, conversationId } = open;
    this.#outbox.addOnce(asked.deliveries, { conversationId, subject, at });
    return { outcome: "completed", handoff: this.find(open.id)!, isNew: false };
  }

  #saveKey({ id }: StoredHandoff, { keyHash, bodyHash }: NonNullable<NewHandoff["idempotency"]>): void {
    this.#db
      .prepare(
        "INSERT INTO handoff_keys (handoff_key, key_hash, body_hash) SELECT key, ?, ? FROM handoffs WHERE id = ?",
      )
      .run(keyHash, bodyHash, id);
  }

  #findByKey(keyHash: Uint8Array): KeyedRow | undefined {
    const opened = this.#findWhere("handoffs.key_hash = ?", keyHash);
    if (opened) return { ...opened, is_completed: 0 };
    const completed = this.#db
      .prepare<[Uint8Array], HandoffTableRow>(`${SELECT_COMPLETED} WHERE handoff_keys.key_hash = ?`)
      .get(keyHash);
    return completed && { ...completed, is_completed: 1 };
  }

  #findWhere(condition: string, value: string | Uint8Array): HandoffTableRow | undefined {
    return this.#db
      .prepare<[typeof value], HandoffTableRow>(`${SELECT_HANDOFF} WHERE ${condition}`)
      .get(value);
  }

  #insert({ id, conversationId, fields, sharesTranscript, at, idempotency }: NewHandoff): void {
    this.#db
      .prepare(`
        INSERT INTO handoffs
          (id, conversation_key, state, fields, shares_transcript, created_at, updated_at, key_hash, body_hash)
        SELECT ?, key, 'open', ?, ?, ?, ?, ?, ? FROM conversations WHERE id = ?`)
      .run(
        id,
        JSON.stringify(fields),
        Number(sharesTranscript),
        at,
        at,
        idempotency?.keyHash ?? null,
        idempotency?.bodyHash ?? null,
        conversationId,
      );
  }
}
