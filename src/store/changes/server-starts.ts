import { Type } from "@sinclair/typebox";
import type { Database } from "better-sqlite3";

import type { StartSettings } from "../interface/changes.ts";
import { JsonColumn } from "../json-column.ts";
import type { ChangeRecorder } from "./change-log.ts";
import { diffDocuments } from "./field-changes.ts";

export const SETTINGS = new JsonColumn("server_starts.settings", Type.Record(Type.String(), Type.Unknown()));

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
    const latest = this.#readSettings();
    const text = JSON.stringify(settings);
    const difference = diffDocuments(latest, JSON.parse(text) as object);
    if (difference.fields.length + difference.omittedFields > 0) {
      this.#changes.append({ kind: "server.settings", subject: "server", bots: [], ...difference });
    }
    return this.#db
      .prepare<[string], number>(
        "UPDATE server_starts SET starts = starts + 1, settings = ? RETURNING starts",
      )
      .pluck()
      .get(text)!;
  }

  #readSettings(): object {
    const text = this.#db.prepare<[], string>("SELECT settings FROM server_starts").pluck().get()!;
    return SETTINGS.parse(text, "its only row");
  }
}
