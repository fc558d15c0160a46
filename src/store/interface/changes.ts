import type { Actor, Change } from "../../domain/change.ts";
import type { EpochMs } from "../../domain/time.ts";

/** A change as it is stored. */
export interface RecordedChange extends Required<Change> {
  /** Its place in the order of changes. */
  key: number;
  at: EpochMs;
  by: Actor;
}

/** Selects changes that meet all given conditions. */
export interface ChangeFilter {
  since?: EpochMs;
  /** Only changes of this bot, which may be deleted. */
  bot?: string;
  /** Only changes before that one. */
  before?: number;
  /** Number of the latest changes to return. */
  limit: number;
}

/** The settings and version of a server's start, as JSON. Holds no secret. */
export type StartSettings = Readonly<Record<string, unknown>>;
