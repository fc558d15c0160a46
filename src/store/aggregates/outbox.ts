import type {
  ClaimedDelivery,
  DeliveryOutcome,
  FailedNotices,
  ListedDelivery,
  NewDelivery,
} from "../../domain/delivery.ts";
import type { EpochMs } from "../../domain/time.ts";
import type { DeliveryClaim, DeliveryFilter, EventStart, Outbox } from "../interface/outbox.ts";
import { among, byEngine, sql, where } from "../sql/sql.ts";
import { all, allGiven, type Engine, first, run, type Work } from "../sql/work.ts";
import { CONVERSATION, CONVERSATION_KEY } from "./references.ts";

const SELECT_DELIVERY = sql`
  SELECT deliveries.id, channel, target, event, subject, state, attempts, error, deliveries.created_at AS "createdAt",
    next_at AS "nextAt", ended_at AS "endedAt", conversations.id AS "conversationId", bots.id AS "botId"
  FROM deliveries JOIN bots ON bots.key = deliveries.bot_key
    LEFT JOIN conversations ON ${CONVERSATION_KEY} = deliveries.${CONVERSATION}`;

/** Condition: events of turns, written exactly as in their indexes. */
export const OF_TURNS = sql`event IN ('turn.refused', 'turn.unmatched', 'action.done', 'action.failed')`;

/** Skips rows that another server is claiming. */
const UNLESS_TAKEN = byEngine({ sqlite: "", postgres: "FOR UPDATE OF deliveries SKIP LOCKED" });

/** The subject of a delivery. */
interface Told {
  conversationId: string;
  subject: string;
  at: EpochMs;
}

/** Deliveries to teams: webhooks, and notices by mail. */
export class SqlOutbox implements Outbox {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Reads before it writes: a commit is needed only if a delivery is due, which is rare. */
  async claim(claim: DeliveryClaim): Promise<ClaimedDelivery[]> {
    const { event, now } = claim;
    const due = sql`
      SELECT 1 AS due FROM deliveries JOIN bots ON bots.key = bot_key WHERE event = ${event} AND next_at <= ${now} LIMIT 1`;
    const isDue = (await this.#engine.read(() => first(due))) !== undefined;
    return isDue ? this.#engine.write(() => takeDue(claim)) : [];
  }

  async listLetters(address: string, since: EpochMs): Promise<EpochMs[]> {
    const statement = sql`
      SELECT DISTINCT ended_at FROM deliveries
      WHERE ended_at > ${since} AND channel = 'mail' AND target = ${address} AND state = 'delivered'`;
    const rows = await this.#engine.read(() => all<{ ended_at: EpochMs }>(statement));
    return rows.map(({ ended_at: at }) => at);
  }

  async settle(
    { id, leaseEndsAt }: Pick<ClaimedDelivery, "id" | "leaseEndsAt">,
    { state, at, nextAt, wasHeldBack, error }: DeliveryOutcome,
  ): Promise<void> {
    const statement = sql`
      UPDATE deliveries SET state = ${state}, next_at = ${nextAt}, ended_at = ${state === "waiting" ? null : at},
        error = ${error}, attempts = attempts - ${Number(wasHeldBack ?? false)}
      WHERE id = ${id} AND next_at = ${leaseEndsAt}`;
    await this.#engine.write(() => run(statement));
  }

  /** Only conditions that the filter asks for are in the statement, so that an index can serve it. */
  list({ state, event, bot, conversation, before, limit }: DeliveryFilter): Promise<ListedDelivery[]> {
    const filter = where(
      state === undefined ? undefined : sql`state = ${state}`,
      event === undefined ? undefined : sql`event = ${event}`,
      bot === undefined ? undefined : sql`deliveries.bot_key = (SELECT key FROM bots WHERE id = ${bot})`,
      conversation === undefined
        ? undefined
        : sql`deliveries.${CONVERSATION} = (SELECT ${CONVERSATION_KEY} FROM conversations WHERE id = ${conversation})`,
      before === undefined ? undefined : sql`deliveries.id < ${before}`,
    );
    const statement = sql`${SELECT_DELIVERY} ${filter} ORDER BY deliveries.id DESC LIMIT ${limit}`;
    return this.#engine.read(() => allGiven<ListedDelivery>(statement));
  }

  async resend(id: string, now: EpochMs): Promise<boolean> {
    const statement = sql`
      UPDATE deliveries SET state = 'waiting', attempts = 0, next_at = ${now}, ended_at = NULL WHERE id = ${id}`;
    return (await this.#engine.write(() => run(statement))) > 0;
  }

  /** Reads before it writes, so that a call without anything to delete costs no commit. */
  async deleteEnded(before: EpochMs, limit: number): Promise<number> {
    const ended = sql`SELECT key FROM deliveries WHERE ended_at < ${before} LIMIT ${limit}`;
    if ((await this.#engine.read(() => first(ended))) === undefined) return 0;
    return this.#engine.write(() => run(sql`DELETE FROM deliveries WHERE key IN (${ended})`));
  }

  startTelling(starts: readonly EventStart[], at: EpochMs): Promise<void> {
    return this.#engine.write(function* () {
      for (const { target, event } of starts)
        yield* run(sql`
          INSERT INTO event_starts (target, event, at) VALUES (${target}, ${event}, ${at}) ON CONFLICT DO NOTHING`);
    });
  }

  /** A delivery that was held back was never tried. One that is being tried again has no error yet, but has failed before. */
  listFailedNotices(): Promise<FailedNotices[]> {
    const statement = sql`
      SELECT channel, target, state, count(*) AS notices, min(created_at) AS since, max(error) AS error FROM (
        SELECT channel, target, deliveries.state, deliveries.created_at, error FROM deliveries JOIN bots ON bots.key = bot_key
        WHERE event = 'handoff.requested' AND next_at IS NOT NULL AND (attempts > 1 OR (attempts = 1 AND error IS NOT NULL))
        UNION ALL
        SELECT channel, target, deliveries.state, deliveries.created_at, error
        FROM deliveries JOIN bots ON bots.key = bot_key JOIN handoffs ON handoffs.id = subject
        WHERE event = 'handoff.requested' AND deliveries.state = 'given-up' AND handoffs.state <> 'closed'
      ) AS failed GROUP BY channel, target, state ORDER BY since`;
    return this.#engine.read(() => allGiven<FailedNotices>(statement));
  }

  countWaitingTurns(): Promise<Map<string, number>> {
    return this.#engine.read(countWaitingTurns);
  }
}

/** Claims due deliveries for the time of the lease. */
function* takeDue({ event, now, leaseMs, limit, to }: DeliveryClaim): Work<ClaimedDelivery[]> {
  const filter = where(
    sql`event = ${event}`,
    sql`next_at <= ${now}`,
    to && sql`channel = ${to.channel}`,
    to && sql`target = ${to.target}`,
  );
  const due = yield* allGiven<ListedDelivery>(
    sql`${SELECT_DELIVERY} ${filter} ORDER BY next_at LIMIT ${limit} ${UNLESS_TAKEN}`,
  );
  const leaseEndsAt = now + leaseMs;
  yield* run(sql`
    UPDATE deliveries SET next_at = ${leaseEndsAt}, attempts = attempts + 1, error = NULL
    WHERE id IN ${among(due.map(({ id }) => id))}`);
  return due.map(({ error: _, ...delivery }) => ({
    ...delivery,
    attempts: delivery.attempts + 1,
    leaseEndsAt,
  }));
}

/** Adds deliveries, in the transaction of the event that they report. */
export function* addDeliveries(
  deliveries: readonly NewDelivery[],
  { conversationId, subject, at }: Told,
): Work<void> {
  for (const { id, channel, target, event } of deliveries)
    yield* run(sql`
      INSERT INTO deliveries (id, channel, target, event, bot_key, ${CONVERSATION}, subject, state, attempts, created_at, next_at)
      SELECT ${id}, ${channel}, ${target}, ${event}, bot_key, ${CONVERSATION_KEY}, ${subject}, 'waiting', 0, ${at}, ${at}
      FROM conversations WHERE id = ${conversationId}`);
}

/**
 * Adds a delivery only if none of the same event and target waits for its next try: that one reads the current data when it is sent. A
 * delivery whose first try is under way does not count, because it may have read the data already.
 */
export function* addDeliveriesOnce(deliveries: readonly NewDelivery[], told: Told): Work<void> {
  for (const delivery of deliveries) {
    const { event, channel, target } = delivery;
    const waiting = yield* first(sql`
      SELECT 1 AS waits FROM deliveries JOIN conversations ON ${CONVERSATION_KEY} = deliveries.${CONVERSATION}
      WHERE conversations.id = ${told.conversationId} AND subject = ${told.subject}
        AND event = ${event} AND channel = ${channel} AND target = ${target}
        AND state = 'waiting' AND (attempts = 0 OR error IS NOT NULL)`);
    if (waiting === undefined) yield* addDeliveries([delivery], told);
  }
}

/** Number of waiting events of turns, by webhook. */
export function* countWaitingTurns(): Work<Map<string, number>> {
  const rows = yield* all<{ target: string; waiting: number }>(sql`
    SELECT target, count(*) AS waiting FROM deliveries WHERE ${OF_TURNS} AND next_at IS NOT NULL GROUP BY target`);
  return new Map(rows.map(({ target, waiting }) => [target, waiting]));
}
