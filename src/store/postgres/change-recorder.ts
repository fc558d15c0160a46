import type { Actor, Change } from "../../domain/change.ts";
import type { SqlChanges } from "../aggregates/changes.ts";
import type { Queries } from "./connection.ts";
import { runOn } from "./postgres-engine.ts";

/** Where whatever changes something says so, in its own transaction. */
export interface ChangeRecorder {
  append(queries: Queries, change: Change): Promise<void>;
  addExpired(queries: Queries, conversations: number): Promise<void>;
  /** Who answers for changes now. */
  actor(): Actor;
}

export function recorderOf(changes: SqlChanges): ChangeRecorder {
  return {
    append: (queries, change) => runOn(queries, changes.append(change)),
    addExpired: (queries, conversations) => runOn(queries, changes.addExpired(conversations)),
    actor: () => changes.actor(),
  };
}
