import type { Now } from "../../domain/time.ts";
import type { TurnKey } from "../interface/conversations.ts";
import { type Heartbeat, LeaseObserver, type LeaseTimes } from "../lease-observer.ts";
import type { LeaseNews, TurnToBegin, TurnToFinish } from "../turn-store.ts";
import { List, type Queries } from "./connection.ts";
import type { PostgresInstances } from "./instances.ts";
import type { Pool } from "./pool.ts";

interface LeasesParts {
  pool: Pool;
  instances: PostgresInstances;
  times: LeaseTimes;
  finish: (result: TurnToFinish) => Promise<unknown>;
}

/**
 * Number of heartbeats, one minute of them, in which a turn that may have begun is given back. A statement that waits for a lock, or for
 * a standby, can still take effect after its caller has given up.
 */
const LATE_BEATS = 20;

/** Locks a server whose heartbeat is unchanged, so that it cannot begin a turn before the end of this transaction. */
const LOCK_DEAD = "SELECT 1 FROM instances WHERE id = $1 AND heartbeat = $2 FOR UPDATE";

const GIVE_BACK = `
WITH gone AS (
  DELETE FROM turns_in_flight WHERE instance_id = $1 RETURNING request_id, bot_key, month
), less AS (
  SELECT bot_key, month, count(*) AS messages FROM gone GROUP BY bot_key, month
), used AS (
  UPDATE monthly_usage AS usage SET messages = greatest(usage.messages - less.messages, 0)
  FROM less WHERE usage.bot_key = less.bot_key AND usage.month = less.month
)
SELECT request_id FROM gone`;

/** This server's registration among those on one database, and the return of turns that a server does not finish. */
export class Leases {
  readonly #parts: LeasesParts;
  readonly #observer: LeaseObserver;
  /** Turns to give back once the database can be written: at most those that were in flight when it failed. */
  readonly #owed = new Set<TurnToFinish>();
  /** Turns that may still begin, with the number of heartbeats in which they are given back again. */
  readonly #late = new Map<TurnToFinish, number>();
  /** The server has left; a heartbeat that is still on its way must not register it again. */
  #hasLeft = false;
  /** Whether another server was registered when this one started. */
  isShared = false;

  constructor(parts: LeasesParts) {
    this.#parts = parts;
    this.#observer = new LeaseObserver(parts.times);
  }

  /** Registers this server. Earlier servers may still live, so their turns are given back only when their leases have run out. */
  async enter(): Promise<void> {
    const { pool, instances } = this.#parts;
    await pool.run(async (connection) => {
      this.isShared = (await instances.listOthers(connection)).length > 0;
      if (!instances.isEntered) await instances.join(connection);
    });
  }

  /** See `LeaseStore.renewLease`. */
  async renew(steadyNow: Now): Promise<LeaseNews> {
    const { wasTakenForDead, others } = await this.#beat();
    const turns: number[] = [];
    for (const dead of this.#observer.look(others, steadyNow())) {
      const given = await this.#giveBackOf(dead);
      if (given !== undefined) turns.push(given);
    }
    await this.#payLate();
    const own = await this.#payOwed();
    return {
      wasTakenForDead,
      deadServers: turns.length,
      turnsGivenBack: turns.reduce((sum, given) => sum + given, own),
    };
  }

  isAlone(): Promise<boolean> {
    return this.#parts.pool.run((connection) => this.#parts.instances.isOnly(connection));
  }

  /** Gives a turn back with the next heartbeat that can be written. */
  owe(result: TurnToFinish): void {
    this.#owed.add(result);
  }

  /** The same for a turn that may have begun, or that a waiting statement may still begin. */
  oweBegun({ bot, conversationId, turn }: TurnToBegin): void {
    const key = turn.requestId as string as TurnKey;
    const { own: instance } = this.#parts.instances;
    const result = { key, instance, bot, conversationId, turn, modelTokens: 0, isCounted: false };
    this.owe(result);
    this.#late.set(result, LATE_BEATS);
  }

  /** Removes this server, unless it leaves turns for others to give back. Commands are never registered. */
  async leave(): Promise<void> {
    const { pool, instances } = this.#parts;
    this.#hasLeft = true;
    if (instances.isEntered) await pool.run((connection) => instances.leave(connection));
  }

  #beat(): Promise<{ wasTakenForDead: boolean; others: Heartbeat[] }> {
    const { pool, instances } = this.#parts;
    return pool.run(async (connection) => {
      const isBeating = await instances.beat(connection);
      const wasTakenForDead = instances.isEntered && !isBeating && !this.#hasLeft;
      if (wasTakenForDead) await instances.join(connection);
      return { wasTakenForDead, others: await instances.listOthers(connection) };
    });
  }

  /** @returns number of turns; undefined if the server lives, or another has given its turns back. */
  #giveBackOf({ id, heartbeat }: Heartbeat): Promise<number | undefined> {
    return this.#parts.pool.transaction(async (queries) => {
      const locked = await queries.query(LOCK_DEAD, [id, heartbeat]);
      if (locked.length === 0) return undefined;
      const given = await queries.query<{ request_id: string }>(GIVE_BACK, [id]);
      await forget(queries, given);
      await queries.query("DELETE FROM instances WHERE id = $1", [id]);
      return given.length;
    });
  }

  async #payOwed(): Promise<number> {
    const owed = [...this.#owed];
    for (const result of owed) {
      await this.#parts.finish(result);
      this.#owed.delete(result);
    }
    return owed.length;
  }

  async #payLate(): Promise<void> {
    for (const [result, beats] of this.#late) {
      await this.#parts.finish(result);
      if (beats > 1) this.#late.set(result, beats - 1);
      else this.#late.delete(result);
    }
  }
}

/** Frees the idempotency keys of these turns. */
async function forget(queries: Queries, turns: readonly { request_id: string }[]): Promise<void> {
  if (turns.length === 0) return;
  const ids = turns.map((turn) => turn.request_id);
  await queries.query("DELETE FROM idempotency_records WHERE request_id = ANY($1::text[])", [new List(ids)]);
}
