import type { Suggestion } from "../../domain/chat.ts";
import type { IntentName } from "../../domain/ids.ts";
import type { JudgedMessage } from "../judged-message.ts";
import { LONGEST_PAUSE_MS } from "./said-before.ts";

/** The turn before in the same conversation. */
export interface PreviousTurn {
  /** The intent it was answered with. */
  intent?: IntentName;
  /** The choices it offered: the intents of a clarifying question, or the bot's abilities. */
  offered: readonly Suggestion[];
  /** Whether its response ends with a question that can be answered by yes or no. */
  asks: boolean;
  /** Whether it was allowed and answered. */
  wasAllowed: boolean;
  /** Age in milliseconds. */
  ageMs: number;
}

/** Confidence from which on a brief message has a subject of its own. Chosen by hand. */
const MOST_CONFIDENCE = 0.25;
/**
 * Largest probability of a denied intent for a follow-up: a quarter of the default deny threshold, so that errors lead to a clarifying
 * question.
 */
export const MOST_DENIED = 0.1;
/**
 * The same for messages that begin like a follow-up: "And until when on Saturdays?" may resemble another intent. One that matches an intent
 * is no follow-up anyway.
 */
const MOST_CONFIDENCE_GOING_ON = 0.75;

/**
 * The intent that a message such as "yes" or "and the other one?" continues: a message that depends on the turn before (see brevity.ts) and
 * matches nothing itself, within ten minutes of an allowed turn, if no denied intent is plausible in any reading. The inherited intent
 * still has to pass the profile.
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

/** The intent that the turn before asked about, if the message says yes. It still has to pass the profile. */
export function agreedIntent(
  { text, isAgreement, social }: JudgedMessage,
  previous: PreviousTurn | undefined,
): IntentName | undefined {
  const isNod = social?.says === "yes" && !/\p{L}/u.test(text);
  const saysYes = isAgreement || isNod;
  if (!saysYes || previous === undefined || previous.ageMs > LONGEST_PAUSE_MS) return undefined;
  return previous.offered.length === 1 ? previous.offered[0]!.intent : undefined;
}
