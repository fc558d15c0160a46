import type {
  ClaimedDelivery,
  DeliveryOutcome,
  FailedNotices,
  ListedDelivery,
  NewDelivery,
} from "../../domain/delivery.ts";
import type { EpochMs } from "../../domain/time.ts";
import type { DeliveryClaim, DeliveryFilter, EventStart } from "../interface/outbox.ts";
import { among, byEngine, sql, where } from "../sql/sql.ts";
import { all, allGiven, first, run, type Work } from "../sql/work.ts";
import { StorePart } from "./part.ts";
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
interface DeliverySubject {
  conversationId: string;
  subject: string;
  at: EpochMs;
}

/** Deliveries to teams by webhook and mail, waiting and ended. A delivery is added in the transaction that stores or finds its event. */
export class SqlOutbox extends StorePart {
  /**
   * Claims due deliveries of an event, the oldest first, for `leaseMs`: if the server dies, others claim them again afterwards. Claiming
   * clears the error of the last try: a waiting delivery that was tried and has no error is being tried now. Reads first, because a write
   * costs a commit, and few calls find any.
   */
  async claim(claim: DeliveryClaim): Promise<ClaimedDelivery[]> {
    const { event, now } = claim;
    const due = sql`
      SELECT 1 AS due FROM deliveries JOIN bots ON bots.key = bot_key WHERE event = ${event} AND next_at <= ${now} LIMIT 1`;
    const isDue = (await this.engine.read(() => first(due))) !== undefined;
    return isDue ? this.engine.write(() => takeDue(claim)) : [];
  }

  /** Instants after `since` at which e-mails were delivered to an address; one with several notices counts once. */
  async listLetters(address: string, since: EpochMs): Promise<EpochMs[]> {
    const statement = sql`
      SELECT DISTINCT ended_at FROM deliveries
      WHERE ended_at > ${since} AND channel = 'mail' AND target = ${address} AND state = 'delivered'`;
    const rows = await this.engine.read(() => all<{ ended_at: EpochMs }>(statement));
    return rows.map(({ ended_at: at }) => at);
  }

  /**
   * Stores the outcome of a claimed delivery. Does nothing if another server has claimed it since, or an operator has sent it again: the
   * later try decides.
   */
  async settle(
    { id, leaseEndsAt }: Pick<ClaimedDelivery, "id" | "leaseEndsAt">,
    { state, at, nextAt, wasHeldBack, error }: DeliveryOutcome,
  ): Promise<void> {
    const statement = sql`
      UPDATE deliveries SET state = ${state}, next_at = ${nextAt}, ended_at = ${state === "waiting" ? null : at},
        error = ${error}, attempts = attempts - ${Number(wasHeldBack ?? false)}
      WHERE id = ${id} AND next_at = ${leaseEndsAt}`;
    await this.engine.write(() => run(statement));
  }

  /** The latest first. Absent conditions are left out of the statement, so that an index can serve it. */
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
    return this.engine.read(() => allGiven<ListedDelivery>(statement));
  }

  /** Makes a delivery due at once, in any state. @returns false if there is no such delivery. */
  async resend(id: string, now: EpochMs): Promise<boolean> {
    const statement = sql`
      UPDATE deliveries SET state = 'waiting', attempts = 0, next_at = ${now}, ended_at = NULL WHERE id = ${id}`;
    return (await this.engine.write(() => run(statement))) > 0;
  }

  /** Deletes at most `limit` deliveries that ended before an instant. Reads first, because a write costs a commit. @returns how many. */
  async deleteEnded(before: EpochMs, limit: number): Promise<number> {
    const ended = sql`SELECT key FROM deliveries WHERE ended_at < ${before} LIMIT ${limit}`;
    if ((await this.engine.read(() => first(ended))) === undefined) return 0;
    return this.engine.write(() => run(sql`DELETE FROM deliveries WHERE key IN (${ended})`));
  }

  /** From this instant on, these webhooks get these events; earlier turns are not reported. A pair that has a start keeps it. */
  startReporting(starts: readonly EventStart[], at: EpochMs): Promise<void> {
    return this.engine.write(function* () {
      for (const { target, event } of starts)
        yield* run(sql`
          INSERT INTO event_starts (target, event, at) VALUES (${target}, ${event}, ${at}) ON CONFLICT DO NOTHING`);
    });
  }

  /**
   * Notices of hand-offs that failed, summed up by target and state, the oldest first. A failed notice counts while it will be tried again,
   * and, once given up, until its hand-off is closed. A delivery that was held back was never tried. One that is being tried again has no
   * error yet, but has failed before.
   */
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
    return this.engine.read(() => allGiven<FailedNotices>(statement));
  }

  /** Number of waiting events of turns, by webhook; webhooks without any are left out. */
  countWaitingTurns(): Promise<Map<string, number>> {
    return this.engine.read(countWaitingTurns);
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
  { conversationId, subject, at }: DeliverySubject,
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
export function* addDeliveriesOnce(deliveries: readonly NewDelivery[], about: DeliverySubject): Work<void> {
  for (const delivery of deliveries) {
    const { event, channel, target } = delivery;
    const waiting = yield* first(sql`
      SELECT 1 AS waits FROM deliveries JOIN conversations ON ${CONVERSATION_KEY} = deliveries.${CONVERSATION}
      WHERE conversations.id = ${about.conversationId} AND subject = ${about.subject}
        AND event = ${event} AND channel = ${channel} AND target = ${target}
        AND state = 'waiting' AND (attempts = 0 OR error IS NOT NULL)`);
    if (waiting === undefined) yield* addDeliveries([delivery], about);
  }
}

/** Number of waiting events of turns, by webhook. */
export function* countWaitingTurns(): Work<Map<string, number>> {
  const rows = yield* all<{ target: string; waiting: number }>(sql`
    SELECT target, count(*) AS waiting FROM deliveries WHERE ${OF_TURNS} AND next_at IS NOT NULL GROUP BY target`);
  return new Map(rows.map(({ target, waiting }) => [target, waiting]));
}
