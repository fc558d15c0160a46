import type { IntentName } from "../../domain/ids.ts";
import type { JudgedMessage } from "../judge-message.ts";

/** The turn before this one, in the same conversation. */
export interface PreviousTurn {
  /** What that turn was answered as. */
  intent?: IntentName;
  /** The one intent that it asked about: "Did you mean: …?" */
  askedAbout?: IntentName;
  /** Whether it was allowed, and answered. */
  wasAllowed: boolean;
  /** Milliseconds since it. */
  ageMs: number;
}

const LONGEST_PAUSE_MS = 10 * 60 * 1000;
/** A follow-up says next to nothing by itself: its best intent stays below this, and any denied one far below. */
const MOST_CONFIDENCE = 0.25;
const MOST_DENIED = 0.1;

/**
 * The intent that a message like "yes" or "and the other one?" takes up: a brief message (see brevity.ts) that matches nothing
 * by itself, within ten minutes of an allowed turn, while no denied intent is plausible in any reading. The intent inherited
 * still has to pass the profile.
 */
export function inheritedIntent(
  { plain, undisguised, isBrief }: JudgedMessage,
  previous: PreviousTurn | undefined,
): IntentName | undefined {
  if (previous === undefined || !previous.wasAllowed || previous.ageMs > LONGEST_PAUSE_MS) return undefined;
  if (!isBrief) return undefined;
  const readings = [plain, ...undisguised];
  const saysLittle = readings.every(
    ({ classification, whole, clause }) =>
      classification.confidence <= MOST_CONFIDENCE &&
      (whole?.chance ?? 0) <= MOST_DENIED &&
      (clause?.chance ?? 0) <= MOST_DENIED,
  );
  return saysLittle ? previous.intent : undefined;
}

/** The one intent that the turn before asked about, where the message says yes. It still has to pass the profile. */
export function agreedIntent(
  { isAgreement }: JudgedMessage,
  previous: PreviousTurn | undefined,
): IntentName | undefined {
  return isAgreement && previous && previous.ageMs <= LONGEST_PAUSE_MS ? previous.askedAbout : undefined;
}
