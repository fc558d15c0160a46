import type { Database } from "better-sqlite3";

import type { Actor, Change } from "../../domain/change.ts";
import type { SqlChanges } from "../aggregates/changes.ts";
import { runNow } from "./sqlite-engine.ts";

/** Where whatever changes something says so, in its own transaction. */
export interface ChangeRecorder {
  append(change: Change): void;
  addExpired(conversations: number): void;
  /** Who answers for changes now. */
  actor(): Actor;
}

export function recorderOf(db: Database, changes: SqlChanges): ChangeRecorder {
  return {
    append: (change) => runNow(db, changes.append(change)),
    addExpired: (conversations) => runNow(db, changes.addExpired(conversations)),
    actor: () => changes.actor(),
  };
}
