import { readStart } from "../changes/start-settings.ts";
import type { StartSettings } from "../interface/changes.ts";
import type { ChangeRecorder } from "./change-recorder.ts";
import type { Queries } from "./connection.ts";

/** Counts a start, and notes a change where it begins with other settings than the one before; part of the caller's transaction. */
export async function noteStart(
  queries: Queries,
  changes: ChangeRecorder,
  settings: StartSettings,
): Promise<number> {
  const [latest] = await queries.query<{ settings: string }>("SELECT settings FROM server_starts FOR UPDATE");
  const { text, change } = readStart(latest!.settings, settings);
  if (change) await changes.append(queries, change);
  const [row] = await queries.query<{ starts: number }>(
    "UPDATE server_starts SET starts = starts + 1, settings = $1 RETURNING starts::float8 AS starts",
    [text],
  );
  return row!.starts;
}
