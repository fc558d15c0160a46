import type { EpochMs } from "../../domain/time.ts";
import { confirmationOf } from "../clock-guard.ts";
import type { ChangeRecorder } from "./change-recorder.ts";
import type { Queries } from "./connection.ts";

/** When a server, or an operator, last took the clock to be right. */
export async function readHeartbeat(queries: Queries): Promise<EpochMs | undefined> {
  const [row] = await queries.query<{ at: EpochMs | null }>("SELECT heartbeat_at::float8 AS at FROM clock");
  return row?.at ?? undefined;
}

/** Moves the heartbeat on. It never goes back: a machine without a battery starts in 1970. */
export async function beatClock(queries: Queries, at: EpochMs): Promise<void> {
  await queries.query("UPDATE clock SET heartbeat_at = greatest(coalesce(heartbeat_at, 0), $1::bigint)", [
    at,
  ]);
}

/** Takes the clock to be right, whatever it was before; part of the caller's transaction. */
export async function confirmClock(queries: Queries, changes: ChangeRecorder, now: EpochMs): Promise<void> {
  const before = await readHeartbeat(queries);
  await queries.query("UPDATE clock SET heartbeat_at = $1", [now]);
  await changes.append(queries, confirmationOf(before, now));
}
