import type { HandoffEvent } from "../../domain/handoff.ts";
import type { EpochMs } from "../../domain/time.ts";
import { completionOf } from "../complete-handoff.ts";
import {
  changeOf,
  type HandoffTableRow,
  handoffFromRow,
  holderOf,
  isHeldByOther,
  isLiveAt,
  isToldOfEnd,
  type KeyedRow,
  repeatedHandoff,
  stateEvent,
} from "../handoff-rows.ts";
import type {
  HandoffFilter,
  HandoffOutcome,
  Handoffs,
  LiveOutcome,
  LiveTurn,
  NewHandoff,
  PeopleHistory,
  PersonThere,
  StoredHandoff,
  TakeOutcome,
  WatchedEvents,
} from "../interface/handoffs.ts";
import type { ChangeRecorder } from "./change-recorder.ts";
import type { Parameter, Queries } from "./connection.ts";
import { findEarlierAnswer } from "./earlier-answers.ts";
import { isRace, MOST_RACES } from "./failure.ts";
import { addEvent, findEventByKey, listEvents } from "./handoff-events.ts";
import { addDeliveries, addDeliveriesOnce } from "./outbox.ts";
import type { Pool } from "./pool.ts";
import { insertUncounted } from "./turn-group.ts";

/** When a person who had taken a hand-off over was last gone. Events of a conversation's earlier hand-offs are older than it. */
const GIVEN_BACK_AT = `
SELECT max(at)::float8 FROM handoff_events WHERE handoff_events.conversation_id = handoffs.conversation_id
  AND kind = 'state' AND text = 'open' AND at >= handoffs.created_at`;

/** Who asks again is newer than what was given back. The index of what is not closed finds those that may wait. */
const IS_WAITING = `state <> 'closed' AND state = 'open' AND coalesce((${GIVEN_BACK_AT}), 0) < handoffs.updated_at`;
const IS_GIVEN_BACK = `state <> 'closed' AND state = 'open' AND (${GIVEN_BACK_AT}) >= handoffs.updated_at`;

const HANDOFFS =
  "handoffs JOIN conversations ON conversations.id = conversation_id JOIN bots ON bots.key = bot_key";

const SELECT_HANDOFF = `
SELECT handoffs.id, conversation_id, bots.id AS bot_id, state, fields, shares_transcript::int4 AS shares_transcript,
  handoffs.created_at::float8 AS created_at, handoffs.updated_at::float8 AS updated_at, (${GIVEN_BACK_AT}) AS given_back_at, operator,
  live_until::float8 AS live_until, body_hash
FROM ${HANDOFFS}`;

const NEW_CONVERSATION = `
INSERT INTO conversations (id, bot_key, created_at) SELECT $1, key, $3 FROM bots WHERE key = $2 ON CONFLICT (id) DO NOTHING`;

/**
 * Two hand-offs of one conversation, or of one key, wait for each other at its row; turns and events of it, which refer to it, do not: who
 * holds a hand-off writes them, and is waited for here.
 */
const LOCK_CONVERSATION = "SELECT id FROM conversations WHERE id = $1 AND bot_key = $2 FOR NO KEY UPDATE";

const INSERT = `
INSERT INTO handoffs
  (id, conversation_id, state, fields, shares_transcript, created_at, updated_at, key_hash, body_hash)
VALUES ($1, $2, 'open', $3, $4::bool, $5, $5, $6, $7)
ON CONFLICT (key_hash) WHERE key_hash IS NOT NULL DO NOTHING RETURNING id`;

const COMPLETE = `
UPDATE handoffs SET fields = $2, shares_transcript = $3::bool, updated_at = $4::bigint WHERE id = $1`;

const SAVE_KEY = `
INSERT INTO handoff_keys (handoff_key, key_hash, body_hash) SELECT key, $2, $3 FROM handoffs WHERE id = $1
ON CONFLICT (key_hash) DO NOTHING RETURNING 1`;

/** What a key has opened, or completed: with the body that did so. */
const FIND_BY_KEY = `
${SELECT_HANDOFF.replace("body_hash", "keyed.body_hash, is_completed")}
JOIN (
  SELECT key AS handoff_key, body_hash, 0 AS is_completed FROM handoffs WHERE key_hash = $1
  UNION ALL SELECT handoff_key, body_hash, 1 FROM handoff_keys WHERE key_hash = $1
) AS keyed ON keyed.handoff_key = handoffs.key
ORDER BY is_completed LIMIT 1`;

/**
 * Whoever changes a hand-off, or says something while it is live, waits at its row for who does so now. The conversation's row comes first,
 * as it does for who erases the conversation: each would wait for the other's.
 */
const forUpdate = (otherwise = "") =>
  `FOR KEY SHARE OF conversations ${otherwise} FOR UPDATE OF handoffs ${otherwise}`;
const FOR_UPDATE = forUpdate();

const SET_STATE = `
UPDATE handoffs SET state = $2, operator = $3, live_until = $4::bigint, updated_at = $5::bigint WHERE id = $1`;

function listSql(waiting: boolean | undefined): string {
  const isWaiting = waiting === undefined ? "TRUE" : waiting ? IS_WAITING : IS_GIVEN_BACK;
  const [comesAfter, order] = waiting === true ? [">", "ASC"] : ["<", "DESC"];
  return `
${SELECT_HANDOFF} WHERE ${isWaiting} AND ($1::bigint IS NULL OR bot_key = $1) AND ($2::text IS NULL OR state = $2)
  AND ($3::text IS NULL OR handoffs.id ${comesAfter} $3 COLLATE "C")
ORDER BY handoffs.id ${order} LIMIT $4`;
}

const COUNT_WAITING = `SELECT count(*)::float8 AS waiting FROM ${HANDOFFS} WHERE ${IS_WAITING}`;

const LIST_OF = `${SELECT_HANDOFF} WHERE conversation_id = $1 ORDER BY handoffs.key`;

/** Visitors who asked for a person. */
export class PostgresHandoffs implements Handoffs {
  readonly #pool: Pool;
  readonly #changes: ChangeRecorder;

  constructor(pool: Pool, changes: ChangeRecorder) {
    this.#pool = pool;
    this.#changes = changes;
  }

  open(handoff: NewHandoff): Promise<HandoffOutcome> {
    return this.#pool.transaction((queries) => openHandoff(queries, handoff));
  }

  async find(id: string): Promise<StoredHandoff | undefined> {
    const row = await findWhere(this.#pool, "handoffs.id = $1", id);
    return row && handoffFromRow(row);
  }

  async findOpen(conversationId: string): Promise<StoredHandoff | undefined> {
    const id = conversationId.replaceAll("\0", "");
    const row = await findWhere(this.#pool, "conversation_id = $1 AND state <> 'closed'", id);
    return row && handoffFromRow(row);
  }

  async list({ bot, state, waiting, after, limit }: HandoffFilter): Promise<StoredHandoff[]> {
    const values = [bot ?? null, state ?? null, after ?? null, limit];
    return (await this.#pool.query<HandoffTableRow>(listSql(waiting), values)).map(handoffFromRow);
  }

  async countWaiting(): Promise<number> {
    const [row] = await this.#pool.query<{ waiting: number }>(COUNT_WAITING);
    return row!.waiting;
  }

  close(id: string, at: EpochMs): Promise<boolean> {
    return this.#change(id, async (queries, handoff) => {
      if (handoff.state === "closed") return false;
      await end(queries, handoff, "closed", at);
      await this.#changes.append(queries, changeOf("handoff.closed", handoff, "closed"));
      return true;
    }).then((changed) => changed ?? false);
  }

  async take(person: PersonThere, from?: string): Promise<TakeOutcome> {
    const taken = await this.#change(person.id, async (queries, handoff): Promise<TakeOutcome> => {
      if (handoff.state === "closed") return { outcome: "ended" };
      const { id, operator, name, at, until } = person;
      const holder = holderOf(handoff, at);
      if (isHeldByOther(holder, person, from)) return { outcome: "held", by: holder };
      await queries.query(SET_STATE, [id, "live", operator, until, at]);
      if (holder !== operator) {
        await addEvent(queries, handoff.conversationId, stateEvent("live", at, name));
        await this.#changes.append(queries, changeOf("handoff.taken", handoff, "live"));
      }
      const { givenBackAt: _, ...rest } = handoff;
      const live = { ...rest, state: "live" as const, operator, liveUntil: until, updatedAt: at };
      return { outcome: "taken", handoff: live };
    });
    return taken ?? { outcome: "ended" };
  }

  say(
    { id, operator, name, at, until }: PersonThere,
    text: string,
    keyHash?: Uint8Array,
  ): Promise<HandoffEvent | undefined> {
    return this.#change(id, async (queries, handoff) => {
      const { conversationId } = handoff;
      const earlier = keyHash && (await findEventByKey(queries, conversationId, keyHash));
      if (earlier) return earlier;
      if (!isLiveAt(handoff, at)) return undefined;
      // Whoever took it over keeps it, also where a colleague writes.
      await queries.query(SET_STATE, [id, "live", handoff.operator ?? operator, until, at]);
      return addEvent(queries, conversationId, { at, kind: "operator", name, text }, keyHash);
    });
  }

  release(id: string, at: EpochMs): Promise<boolean> {
    return this.#change(id, async (queries, handoff) => {
      if (handoff.state !== "live") return false;
      await end(queries, handoff, "open", at);
      await this.#changes.append(queries, changeOf("handoff.released", handoff, "open"));
      return true;
    }).then((changed) => changed ?? false);
  }

  releaseExpired(now: EpochMs): Promise<number> {
    return this.#pool.transaction(async (queries) => {
      const expired = await queries.query<HandoffTableRow>(
        `${SELECT_HANDOFF} WHERE state = 'live' AND live_until <= $1 ${forUpdate("SKIP LOCKED")}`,
        [now],
      );
      for (const row of expired) await end(queries, handoffFromRow(row), "open", now);
      return expired.length;
    });
  }

  async recordLive(record: LiveTurn): Promise<LiveOutcome> {
    for (let races = 0; ; races += 1) {
      try {
        return await this.#pool.transaction((queries) => recordLiveTurn(queries, record));
      } catch (error) {
        if (!isRace(error) || races >= MOST_RACES) throw error;
      }
    }
  }

  async historyOf(conversationId: string): Promise<PeopleHistory> {
    const id = conversationId.replaceAll("\0", "");
    const rows = await this.#pool.query<HandoffTableRow>(LIST_OF, [id]);
    const events = await listEvents(this.#pool, [{ conversationId: id, after: 0 }], null);
    return { handoffs: rows.map(handoffFromRow), events: events.get(id) ?? [] };
  }

  listEvents(watched: readonly WatchedEvents[], limit: number): Promise<Map<string, HandoffEvent[]>> {
    return listEvents(this.#pool, watched, limit);
  }

  /** Does something with a hand-off that nobody else changes meanwhile. @returns undefined where there is none. */
  #change<Result>(
    id: string,
    change: (queries: Queries, handoff: StoredHandoff) => Promise<Result>,
  ): Promise<Result | undefined> {
    return this.#pool.transaction(async (queries) => {
      const row = await findWhere(queries, `handoffs.id = $1 ${FOR_UPDATE}`, id);
      return row && change(queries, handoffFromRow(row));
    });
  }
}

async function end(
  queries: Queries,
  { id, conversationId, state }: StoredHandoff,
  next: "open" | "closed",
  at: EpochMs,
): Promise<void> {
  await queries.query(SET_STATE, [id, next, null, null, at]);
  if (isToldOfEnd(state, next)) await addEvent(queries, conversationId, stateEvent(next, at));
}

/** The row of the hand-off is held until the message is stored, so that nobody gives the conversation back in between. */
async function recordLiveTurn(queries: Queries, record: LiveTurn): Promise<LiveOutcome> {
  const { conversationId, turn, idempotencyKey } = record;
  const live = await findWhere(
    queries,
    `conversation_id = $1 AND state = 'live' ${FOR_UPDATE}`,
    conversationId,
  );
  if (!live || !isLiveAt(handoffFromRow(live), turn.at)) return "not_live";
  if (idempotencyKey && (await findEarlierAnswer(queries, idempotencyKey, turn.at))) return "key_taken";
  await insertUncounted(queries, record);
  await addEvent(queries, conversationId, { at: turn.at, kind: "visitor", text: turn.input });
  return "recorded";
}

async function openHandoff(queries: Queries, handoff: NewHandoff): Promise<HandoffOutcome> {
  const { id, conversationId, bot, at, fields, sharesTranscript, idempotency } = handoff;
  const earlier = await findRepeated(queries, handoff);
  if (earlier) return earlier;
  await queries.query(NEW_CONVERSATION, [conversationId, bot, at]);
  const [locked] = await queries.query(LOCK_CONVERSATION, [conversationId, bot]);
  if (!locked) return { outcome: "bot_deleted" };
  const open = await findWhere(
    queries,
    `conversation_id = $1 AND state <> 'closed' ${FOR_UPDATE}`,
    conversationId,
  );
  if (open)
    return (await findRepeated(queries, handoff)) ?? completeHandoff(queries, handoffFromRow(open), handoff);
  const { keyHash = null, bodyHash = null } = idempotency ?? {};
  const values = [id, conversationId, JSON.stringify(fields), sharesTranscript, at, keyHash, bodyHash];
  const inserted = await queries.query(INSERT, values);
  if (inserted.length === 0) return (await findRepeated(queries, handoff))!;
  await addDeliveries(queries, handoff.deliveries, { conversationId, subject: id, at });
  const row = await findWhere(queries, "handoffs.id = $1", id);
  return { outcome: "opened", handoff: handoffFromRow(row!), isNew: true };
}

/** To be called with the rows of the conversation and of the hand-off held. */
async function completeHandoff(
  queries: Queries,
  open: StoredHandoff,
  asked: NewHandoff,
): Promise<HandoffOutcome> {
  const { id, conversationId } = open;
  const completion = completionOf(open, asked);
  if (completion.kind === "too_long") return { outcome: "too_long" };
  const { idempotency } = asked;
  if (idempotency) {
    const saved = await queries.query(SAVE_KEY, [id, idempotency.keyHash, idempotency.bodyHash]);
    if (saved.length === 0) return (await findRepeated(queries, asked))!;
  }
  if (completion.kind === "unchanged") return { outcome: "already_open", handoff: open, isNew: false };
  const { fields, sharesTranscript, at } = completion;
  await queries.query(COMPLETE, [id, JSON.stringify(fields), sharesTranscript, at]);
  await addDeliveriesOnce(queries, asked.deliveries, { conversationId, subject: id, at });
  return {
    outcome: "completed",
    handoff: { ...open, fields, sharesTranscript, updatedAt: at },
    isNew: false,
  };
}

async function findRepeated(queries: Queries, handoff: NewHandoff): Promise<HandoffOutcome | undefined> {
  if (!handoff.idempotency) return undefined;
  const [row] = await queries.query<KeyedRow>(FIND_BY_KEY, [handoff.idempotency.keyHash]);
  return row && repeatedHandoff(row, handoff);
}

async function findWhere(
  queries: Queries,
  condition: string,
  value: Parameter,
): Promise<HandoffTableRow | undefined> {
  const [row] = await queries.query<HandoffTableRow>(`${SELECT_HANDOFF} WHERE ${condition}`, [value]);
  return row;
}
