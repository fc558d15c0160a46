import type { Subject } from "../../domain/subject.ts";

/** After ten minutes people have done something else, and "yes" may mean that. */
export const LONGEST_PAUSE_MS = 10 * 60 * 1000;

/** What a message may lean on. */
export interface SaidBefore {
  /** The visitor's turn before, courtesies aside. */
  text: string;
  /** What that was about; absent where nothing was answered to it. */
  subject?: Subject;
}
