import type { Classification } from "../domain/decision.ts";
import type { IntentName } from "../domain/ids.ts";

/** A denied intent, and the chance, 0–1, that it was asked for. */
export interface Suspicion {
  intent: IntentName;
  chance: number;
}

/** One reading of a message: as it was written, or with disguises taken off. */
export interface JudgedReading {
  reading: "plain" | "undisguised";
  classification: Classification;
  /** In the reading as a whole. */
  whole?: Suspicion;
  /** In a part of it: its words and signs from `from` up to `to`. */
  clause?: Suspicion & { from: number; to: number };
}

/** A message in all its readings, as written first. */
export interface JudgedMessage {
  plain: JudgedReading;
  /** What was classified as written; absent for a bare reply, which says nothing by itself. */
  text?: string;
  undisguised: readonly JudgedReading[];
  /** The clearest part of the message as written, where the whole matches nothing. */
  clearestClause?: Classification;
  /** So short that it may lean on the turn before it. */
  isBrief: boolean;
  /** It says yes, and nothing else. */
  isAgreement: boolean;
}

export function readingsOf({ plain, undisguised }: JudgedMessage): readonly JudgedReading[] {
  return [plain, ...undisguised];
}
