import type { EpochMs } from "../../domain/time.ts";
import { confirmationOf } from "../clock-guard.ts";
import { sql } from "../sql/sql.ts";
import { first, run, type Work } from "../sql/work.ts";
import type { SqlChanges } from "./changes.ts";

/** When a server or an operator last found the clock right; undefined before the first time. */
export function* readHeartbeat(): Work<EpochMs | undefined> {
  const row = yield* first<{ heartbeat_at: EpochMs | null }>(sql`SELECT heartbeat_at FROM clock`);
  return row?.heartbeat_at ?? undefined;
}

/** Moves the heartbeat on. It never goes back: a machine without a battery starts in 1970. */
export function* beatClock(at: EpochMs): Work<void> {
  yield* run(sql`UPDATE clock SET heartbeat_at = ${at} WHERE heartbeat_at IS NULL OR heartbeat_at < ${at}`);
}

/** Declares the clock right, whatever the heartbeat was. */
export function* confirmClock(now: EpochMs, changes: Pick<SqlChanges, "append">): Work<void> {
  const before = yield* readHeartbeat();
  yield* run(sql`UPDATE clock SET heartbeat_at = ${now}`);
  yield* changes.append(confirmationOf(before, now));
}
