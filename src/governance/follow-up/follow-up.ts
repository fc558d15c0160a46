import type { Suggestion } from "../../domain/chat.ts";
import type { IntentName } from "../../domain/ids.ts";
import type { JudgedMessage } from "../judged-message.ts";
import { LONGEST_PAUSE_MS } from "./said-before.ts";

/** The turn before this one, in the same conversation. */
export interface PreviousTurn {
  /** What that turn was answered as. */
  intent?: IntentName;
  /** What it offered: the intents that it asked about, or what the bot can do. */
  offered: readonly Suggestion[];
  /** Whether its response ends with a question, to which a yes or no is an answer. */
  asks: boolean;
  /** Whether it was allowed, and answered. */
  wasAllowed: boolean;
  /** Milliseconds since it. */
  ageMs: number;
}

/** A follow-up says next to nothing by itself; at one chance in four the message has a subject of its own. */
const MOST_CONFIDENCE = 0.25;
/** Chance of a denied intent up to which a message may be a follow-up. A quarter of the default deny threshold: errors on the side of asking back. */
export const MOST_DENIED = 0.1;
/** "And until when on Saturdays?" may look like another intent; what matches it is no follow-up anyway. */
const MOST_CONFIDENCE_GOING_ON = 0.75;

/**
 * The intent that a message like "yes" or "and the other one?" takes up: a message that leans on the turn before it (see brevity.ts) and
 * matches nothing by itself, within ten minutes of an allowed turn, while no denied intent is plausible in any reading. The intent
 * inherited still has to pass the profile.
 */
export function inheritedIntent(
  { plain, undisguised, isBrief, goesOn }: JudgedMessage,
  previous: PreviousTurn | undefined,
): { intent: IntentName; isSure: boolean } | undefined {
  if (previous === undefined || !previous.wasAllowed || previous.ageMs > LONGEST_PAUSE_MS) return undefined;
  if (previous.intent === undefined || (!isBrief && goesOn === undefined)) return undefined;
  const most = goesOn === undefined ? MOST_CONFIDENCE : MOST_CONFIDENCE_GOING_ON;
  const saysLittle = [plain, ...undisguised].every(
    ({ classification, whole, clause }) =>
      classification.confidence <= most &&
      (whole?.chance ?? 0) <= MOST_DENIED &&
      (clause?.chance ?? 0) <= MOST_DENIED,
  );
  return saysLittle ? { intent: previous.intent, isSure: isBrief || goesOn === "surely" } : undefined;
}

/** The one intent that the turn before asked about, where the message says yes. It still has to pass the profile. */
export function agreedIntent(
  { text, isAgreement, social }: JudgedMessage,
  previous: PreviousTurn | undefined,
): IntentName | undefined {
  const isNod = social?.says === "yes" && !/\p{L}/u.test(text);
  const saysYes = isAgreement || isNod;
  if (!saysYes || previous === undefined || previous.ageMs > LONGEST_PAUSE_MS) return undefined;
  return previous.offered.length === 1 ? previous.offered[0]!.intent : undefined;
}
