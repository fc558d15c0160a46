import type { Subject } from "../../domain/subject.ts";

/** After ten minutes a "yes" may refer to something else. Chosen by hand. */
export const LONGEST_PAUSE_MS = 10 * 60 * 1000;

/** The turn that a message may depend on. */
export interface SaidBefore {
  /** The visitor's message before, without small talk. */
  text: string;
  /** Its subject; absent if it was not answered. */
  subject?: Subject;
}
