import type { Database } from "better-sqlite3";

import type { EpochMs, Now } from "../../domain/time.ts";
import { addEvent } from "../aggregates/handoff-events.ts";
import { isLive } from "../aggregates/handoffs.ts";
import type { IdempotencyKey } from "../idempotency.ts";
import type { BotKey } from "../interface/bots.ts";
import type { TurnKey } from "../interface/conversations.ts";
import type { LiveOutcome, LiveTurn } from "../interface/handoffs.ts";
import type { Heartbeat } from "../lease-observer.ts";
import type { Work } from "../sql/work.ts";
import type {
  BeginOutcome,
  FinishOutcome,
  RecordOutcome,
  TurnToBegin,
  TurnToFinish,
  TurnToRecord,
} from "../turn-store.ts";
import { TurnCounting } from "./analytics/turn-counting.ts";
import { IdempotencyRecords } from "./idempotency-records.ts";
import { SqliteInstances } from "./instances.ts";
import { type Reservation, TurnsInFlight } from "./turns-in-flight.ts";
import { SqliteTurns } from "./turns.ts";
import { SqliteUsage } from "./usage.ts";

/** The tables of a turn. */
type TurnTables = ReturnType<typeof openTurnTables>;

export function openTurnTables(db: Database, now: Now) {
  return {
    log: new SqliteTurns(db),
    usage: new SqliteUsage(db),
    inFlight: new TurnsInFlight(db),
    idempotency: new IdempotencyRecords(db),
    instances: new SqliteInstances(db, now),
    counting: new TurnCounting(db),
  };
}

/** The writes of a turn. Each method is part of the caller's transaction, and touches nothing but the database. */
export class SqliteTurnWrites {
  readonly #tables: TurnTables;

  constructor(tables: TurnTables) {
    this.#tables = tables;
  }

  record(record: TurnToRecord): RecordOutcome {
    const { bot, conversationId, turn, monthlyMessageCap, idempotencyKey, replaces } = record;
    const { usage, log, idempotency } = this.#tables;
    if (this.#isTaken(idempotencyKey, turn.at)) return "key_taken";
    const reserved = usage.reserve(bot, turn.at, monthlyMessageCap);
    if (reserved !== "reserved") return reserved;
    if (replaces) log.removeUnanswered(conversationId, replaces);
    const key = log.append(conversationId, bot, turn);
    if (idempotencyKey) idempotency.save(idempotencyKey, key, turn.at);
    return "recorded";
  }

  /** Stores a visitor's message to an operator, which is not counted against the cap. */
  recordLive(
    { bot, conversationId, turn, idempotencyKey }: LiveTurn,
    run: <Result>(work: Work<Result>) => Result,
  ): LiveOutcome {
    const { log, idempotency } = this.#tables;
    if (this.#isTaken(idempotencyKey, turn.at)) return "key_taken";
    if (!run(isLive(conversationId, turn.at))) return "not_live";
    run(addEvent(conversationId, { at: turn.at, kind: "visitor", text: turn.input }));
    const key = log.append(conversationId, bot, turn);
    if (idempotencyKey) idempotency.save(idempotencyKey, key, turn.at);
    return "recorded";
  }

  /** Saves the key before its answer is known, so that a concurrent request with the key finds the turn in flight and waits. */
  begin(record: TurnToBegin): BeginOutcome {
    const { bot, turn, monthlyTokenBudget, idempotencyKey, replaces } = record;
    const { usage, log, idempotency, instances } = this.#tables;
    if (this.#isTaken(idempotencyKey, turn.at)) return { outcome: "key_taken" };
    const isSpent = monthlyTokenBudget !== undefined && usage.readTokens(bot, turn.at) >= monthlyTokenBudget;
    if (isSpent) return { outcome: "budget_spent" };
    const reserved = usage.reserve(bot, turn.at, record.monthlyMessageCap);
    if (reserved !== "reserved") return { outcome: reserved };
    if (replaces) log.removeUnanswered(record.conversationId, replaces);
    const key = log.append(record.conversationId, bot, turn);
    this.#putInFlight(key, bot, turn.at);
    if (idempotencyKey) idempotency.save(idempotencyKey, key, turn.at);
    return { outcome: "begun", key, instance: instances.own };
  }

  /** A turn of this server that others have given back is counted once more, or refused. */
  finish(result: TurnToFinish): FinishOutcome {
    const { key, instance, bot, turn, isCounted, isReplaceable, idempotencyKey } = result;
    const { usage, log, inFlight, idempotency, instances, counting } = this.#tables;
    const reservation = inFlight.remove(key, turn.requestId);
    // The server was registered all the time, so a turn that is not in flight was erased: it stays counted.
    const wasGivenBack = !reservation && !instances.has(instance);
    if (wasGivenBack && isCounted) {
      const counted = this.#countAgain(result);
      if (counted !== "reserved") return counted;
    }
    if (reservation && !isCounted) usage.giveBack(reservation.bot, reservation.month);
    if (turn.state === "cut" || (reservation && !isCounted && isReplaceable !== true))
      idempotency.forget(key);
    if (result.modelTokens > 0) usage.addTokens(bot, turn.at, result.modelTokens);
    const isStored = log.answer(result.conversationId, key, turn);
    if (wasGivenBack && isStored) counting.recount(key);
    if (wasGivenBack && isCounted && isStored && idempotencyKey && turn.state !== "cut")
      idempotency.save(idempotencyKey, key, turn.at);
    return "finished";
  }

  /** Gives back all unfinished turns of all servers. @returns number of turns. */
  giveBackAll(): number {
    const { inFlight, instances } = this.#tables;
    const reservations = inFlight.removeAll();
    for (const reservation of reservations) this.#giveBack(reservation);
    instances.removeAll();
    return reservations.length;
  }

  /** Gives back a server's unfinished turns, unless its heartbeat has changed, or another has done so. @returns number of turns, or undefined. */
  giveBackOf(server: Heartbeat): number | undefined {
    const { inFlight, instances } = this.#tables;
    if (!instances.isAt(server)) return undefined;
    const reservations = inFlight.removeOf(server.id);
    for (const reservation of reservations) this.#giveBack(reservation);
    instances.remove(server.id);
    return reservations.length;
  }

  #isTaken(key: IdempotencyKey | undefined, at: EpochMs): boolean {
    return key !== undefined && this.#tables.idempotency.find(key, at) !== undefined;
  }

  /** Registers the server with its first turn, and again after others took it for dead. */
  #putInFlight(key: TurnKey, bot: BotKey, at: EpochMs): void {
    const { inFlight, instances } = this.#tables;
    if (inFlight.add(key, bot, at, instances.own)) return;
    instances.join();
    inFlight.add(key, bot, at, instances.own);
  }

  #countAgain({ bot, turn, monthlyMessageCap, idempotencyKey }: TurnToFinish) {
    if (this.#isTaken(idempotencyKey, turn.at)) return "key_taken";
    return this.#tables.usage.reserve(bot, turn.at, monthlyMessageCap);
  }

  /** Uncounts the message, and frees its key. */
  #giveBack({ turn, bot, month }: Reservation): void {
    this.#tables.usage.giveBack(bot, month);
    this.#tables.idempotency.forget(turn);
  }
}
