import type { InstanceId } from "../domain/ids.ts";

/** A server's latest heartbeat: a number that grows while the server lives. */
export interface Heartbeat {
  id: InstanceId;
  heartbeat: number;
}

export interface LeaseTimes {
  /** Interval between two heartbeats of a server. */
  beatEveryMs: number;
  /** How long a heartbeat must be unchanged until its server is taken for dead. */
  leaseMs: number;
}

/**
 * A slow disk must not cost a server its turns, so a lease lasts five heartbeats. A retry of a dead server's message waits for a lease,
 * and few visitors wait longer than 15 seconds. Chosen by hand.
 */
export const LEASE_TIMES: LeaseTimes = { beatEveryMs: 3000, leaseMs: 15_000 };

interface Observation {
  heartbeat: number;
  /** How long the heartbeat has been seen unchanged. */
  silentMs: number;
}

/**
 * Tells which servers' leases have run out. Wall clocks of other servers may be wrong, so heartbeats are compared over this process's
 * own steady time only: a wall clock that jumps changes nothing.
 */
export class LeaseObserver {
  readonly #times: LeaseTimes;
  #observations = new Map<InstanceId, Observation>();
  #lookedAtMs: number | undefined;

  constructor(times: LeaseTimes) {
    this.#times = times;
  }

  /** @returns the servers whose heartbeats have not changed for a lease. */
  look(heartbeats: readonly Heartbeat[], steadyMs: number): Heartbeat[] {
    const elapsedMs = this.#elapsed(steadyMs);
    const observed = heartbeats.map(({ id, heartbeat }): [InstanceId, Observation] => {
      const earlier = this.#observations.get(id);
      const silentMs = earlier?.heartbeat === heartbeat ? earlier.silentMs + elapsedMs : 0;
      return [id, { heartbeat, silentMs }];
    });
    this.#observations = new Map(observed);
    return heartbeats.filter(({ id }) => this.#observations.get(id)!.silentMs >= this.#times.leaseMs);
  }

  /** Time since the last look, at most two heartbeats. A later look was held up (a frozen machine, a long lock), and the other servers perhaps too. */
  #elapsed(steadyMs: number): number {
    const elapsedMs = steadyMs - (this.#lookedAtMs ?? steadyMs);
    this.#lookedAtMs = steadyMs;
    return Math.min(elapsedMs, 2 * this.#times.beatEveryMs);
  }
}
