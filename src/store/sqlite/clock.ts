import type { Database } from "better-sqlite3";

import type { EpochMs } from "../../domain/time.ts";
import { type ClockState, clockState } from "../clock-guard.ts";

/** The heartbeat of the clock: when a server last took it to be right. */
export class SqliteClock {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  readHeartbeat(): EpochMs | undefined {
    const at = this.#db.prepare<[], number | null>("SELECT heartbeat_at FROM clock").pluck().get();
    return at ?? undefined;
  }

  /** Moves the heartbeat on; part of the caller's transaction. It never goes back: a machine without a battery starts in 1970. */
  beat(at: EpochMs): void {
    this.#db.prepare("UPDATE clock SET heartbeat_at = max(coalesce(heartbeat_at, 0), ?)").run(at);
  }

  /** Takes the clock to be right, whatever it was before. */
  confirm(at: EpochMs): void {
    this.#db.prepare("UPDATE clock SET heartbeat_at = ?").run(at);
  }

  /** The clock as a process sees it that has just started. */
  state(now: EpochMs): ClockState {
    return clockState(this.readHeartbeat(), now, 0);
  }
}
