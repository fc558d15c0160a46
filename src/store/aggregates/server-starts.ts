import { Type } from "@sinclair/typebox";

import { maskStored } from "../../config/settings.ts";
import type { Change } from "../../domain/change.ts";
import { diffDocuments } from "../changes/field-changes.ts";
import type { StartSettings } from "../interface/changes.ts";
import { JsonColumn } from "../json-column.ts";
import { FOR_UPDATE, sql } from "../sql/sql.ts";
import { first, run, type Work } from "../sql/work.ts";
import type { SqlChanges } from "./changes.ts";

const SETTINGS = new JsonColumn("server_starts.settings", Type.Record(Type.String(), Type.Unknown()));

/** Counts a start, and records a change if the settings differ from those of the start before. @returns number of starts, including this one. */
export function* noteStart(settings: StartSettings, changes: Pick<SqlChanges, "append">): Work<number> {
  const latest = yield* first<{ starts: number; settings: string }>(
    sql`SELECT starts, settings FROM server_starts ${FOR_UPDATE}`,
  );
  const { text, change } = readStart(latest!.settings, settings);
  if (change) yield* changes.append(change);
  yield* run(sql`UPDATE server_starts SET starts = starts + 1, settings = ${text}`);
  return latest!.starts + 1;
}

/**
 * The stored settings of a start, and the change from the start before; undefined if nothing changed. Versions of Parley before
 * this one stored secrets: they are masked. Pure.
 */
function readStart(before: string, settings: StartSettings): { text: string; change: Change | undefined } {
  const after = JSON.parse(JSON.stringify(settings)) as StartSettings;
  const difference = diffDocuments(masked(SETTINGS.parse(before, "its only row")), after);
  const isChanged = difference.fields.length + difference.omittedFields > 0;
  return {
    text: JSON.stringify(after),
    change: isChanged ? { kind: "server.settings", subject: "server", bots: [], ...difference } : undefined,
  };
}

function masked(settings: StartSettings): StartSettings {
  return Object.fromEntries(
    Object.entries(settings).map(([name, stored]) => [name, maskStored(name, stored)]),
  );
}
