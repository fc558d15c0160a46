import type { Actor, Change } from "../../domain/change.ts";
import type { EpochMs } from "../../domain/time.ts";

/** A change as it is kept. */
export interface RecordedChange extends Required<Change> {
  /** Its place in the order of changes. */
  key: number;
  at: EpochMs;
  by: Actor;
}

/** Which changes to list: those that meet all that is given. */
export interface ChangeFilter {
  since?: EpochMs;
  /** Only what concerns this bot, which may be gone. */
  bot?: string;
  /** Only what was changed before that change. */
  before?: number;
  /** At most so many, the latest. */
  limit: number;
}

/** What was changed, when, and by whom or what. Rows are only ever added. */
export interface Changes {
  /** The latest first. */
  list(filter: ChangeFilter): Promise<RecordedChange[]>;
}

/** What a server starts with, as JSON: its settings and its version. Holds no secret. */
export type StartSettings = Readonly<Record<string, unknown>>;
