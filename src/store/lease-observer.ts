import type { InstanceId } from "../domain/ids.ts";

/** What a server has written last: a number that grows as long as the server lives. */
export interface Heartbeat {
  id: InstanceId;
  heartbeat: number;
}

export interface LeaseTimes {
  /** Between two heartbeats of a server. */
  beatEveryMs: number;
  /** How long a heartbeat stands still until its server is taken for dead. */
  leaseMs: number;
}

/**
 * Five heartbeats to a lease, so that a slow disk costs no server its turns. A retry of a dead server's message waits for as long as a
 * lease: few visitors wait longer than 15 seconds.
 */
export const LEASE_TIMES: LeaseTimes = { beatEveryMs: 3000, leaseMs: 15_000 };

interface Observation {
  heartbeat: number;
  /** For how long the heartbeat is known to have stood still. */
  silentMs: number;
}

/**
 * Tells which servers' leases have run out. What is compared are heartbeats over this process's own steady time, never clocks of others:
 * a wall clock that jumps changes nothing.
 */
export class LeaseObserver {
  readonly #times: LeaseTimes;
  #observations = new Map<InstanceId, Observation>();
  #lookedAtMs: number | undefined;

  constructor(times: LeaseTimes) {
    this.#times = times;
  }

  /** @returns the servers whose heartbeats have stood still for a lease. */
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

  /** Counts at most two heartbeats' time. Whoever looks later was held up, and the others perhaps with it: a frozen machine, a long lock. */
  #elapsed(steadyMs: number): number {
    const elapsedMs = steadyMs - (this.#lookedAtMs ?? steadyMs);
    this.#lookedAtMs = steadyMs;
    return Math.min(elapsedMs, 2 * this.#times.beatEveryMs);
  }
}
