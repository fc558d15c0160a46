import { readStart } from "../changes/start-settings.ts";
import type { StartSettings } from "../interface/changes.ts";
import { FOR_UPDATE, sql } from "../sql/sql.ts";
import { first, run, type Work } from "../sql/work.ts";
import type { SqlChanges } from "./changes.ts";

/** Counts a start, and notes a change where it begins with other settings than the one before. @returns how many there were, with this one. */
export function* noteStart(settings: StartSettings, changes: Pick<SqlChanges, "append">): Work<number> {
  const latest = yield* first<{ starts: number; settings: string }>(
    sql`SELECT starts, settings FROM server_starts ${FOR_UPDATE}`,
  );
  const { text, change } = readStart(latest!.settings, settings);
  if (change) yield* changes.append(change);
  yield* run(sql`UPDATE server_starts SET starts = starts + 1, settings = ${text}`);
  return latest!.starts + 1;
}
