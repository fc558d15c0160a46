import { Type } from "@sinclair/typebox";
import type { Database } from "better-sqlite3";

import { maskStored } from "../../../config/settings.ts";
import type { Change } from "../../../domain/change.ts";
import { diffDocuments } from "../../changes/field-changes.ts";
import type { StartSettings } from "../../interface/changes.ts";
import { JsonColumn } from "../../json-column.ts";
import type { ChangeRecorder } from "./change-log.ts";

const SETTINGS = new JsonColumn("server_starts.settings", Type.Record(Type.String(), Type.Unknown()));

/** What is stored of a start, and the change that it is from the one before; undefined where nothing changed. Earlier versions stored secrets: they are masked. Pure. */
export function readStart(
  before: string,
  settings: StartSettings,
): { text: string; change: Change | undefined } {
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

/** Starts of servers on this database. Writes are parts of the caller's transaction. */
export class ServerStarts {
  readonly #db: Database;
  readonly #changes: ChangeRecorder;

  constructor(db: Database, changes: ChangeRecorder) {
    this.#db = db;
    this.#changes = changes;
  }

  /** Counts a start, and notes a change where it begins with other settings than the one before. @returns how many there were, with this one. */
  note(settings: StartSettings): number {
    const before = this.#db.prepare<[], string>("SELECT settings FROM server_starts").pluck().get()!;
    const { text, change } = readStart(before, settings);
    if (change) this.#changes.append(change);
    return this.#db
      .prepare<[string], number>(
        "UPDATE server_starts SET starts = starts + 1, settings = ? RETURNING starts",
      )
      .pluck()
      .get(text)!;
  }
}
