import type { Database } from "better-sqlite3";

import { readStart } from "../../changes/start-settings.ts";
import type { StartSettings } from "../../interface/changes.ts";
import type { ChangeRecorder } from "../change-recorder.ts";

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
