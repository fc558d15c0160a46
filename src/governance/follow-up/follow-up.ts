import type { Suggestion } from "../../domain/chat.ts";
import type { IntentName } from "../../domain/ids.ts";
import type { Subject } from "../../domain/subject.ts";
import { readChoice } from "../../social/read-choice.ts";
import { type BotTexts, isNoneOfThese } from "../../texts/bot-texts.ts";
import type { JudgedMessage } from "../judged-message.ts";

/** After ten minutes a "yes" may refer to something else. Chosen by hand. */
export const MAX_PAUSE_MS = 10 * 60 * 1000;

/** The turn that a message may depend on. */
export interface SaidBefore {
  /** The visitor's message before, without small talk. */
  text: string;
  /** Its subject; absent if it was not answered. */
  subject?: Subject;
}

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

/** Minimum confidence at which a brief message has a subject of its own. Chosen by hand. */
const MAX_CONFIDENCE = 0.25;
/**
 * Largest probability of a denied intent for a follow-up: a quarter of the default deny threshold, so that errors lead to a clarifying
 * question.
 */
export const MAX_DENIED = 0.1;
/**
 * The same for messages that begin like a follow-up: "And until when on Saturdays?" may resemble another intent. One that matches an intent
 * is no follow-up anyway.
 */
const MAX_CONFIDENCE_GOING_ON = 0.75;

/**
 * The intent that a message such as "yes" or "and the other one?" continues: a message that depends on the turn before (see brevity.ts) and
 * matches nothing itself, within ten minutes of an allowed turn, if no denied intent is plausible in any reading. The inherited intent
 * still has to pass the profile.
 */
export function inheritedIntent(
  { plain, undisguised, isBrief, goesOn }: JudgedMessage,
  previous: PreviousTurn | undefined,
): { intent: IntentName; isSure: boolean } | undefined {
  if (previous === undefined || !previous.wasAllowed || previous.ageMs > MAX_PAUSE_MS) return undefined;
  if (previous.intent === undefined || (!isBrief && goesOn === undefined)) return undefined;
  const most = goesOn === undefined ? MAX_CONFIDENCE : MAX_CONFIDENCE_GOING_ON;
  const saysLittle = [plain, ...undisguised].every(
    ({ classification, whole, clause }) =>
      classification.confidence <= most &&
      (whole?.chance ?? 0) <= MAX_DENIED &&
      (clause?.chance ?? 0) <= MAX_DENIED,
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
  if (!saysYes || previous === undefined || previous.ageMs > MAX_PAUSE_MS) return undefined;
  return previous.offered.length === 1 ? previous.offered[0]!.intent : undefined;
}

/** The visitor's choice among the intents that the turn before offered. */
type Choice = { kind: "some"; intents: readonly IntentName[] } | { kind: "none" };

/**
 * The choice in a message: by label, by number ("the first", "2", "both"), or by a word that only one label has. The text of the button
 * "none of these" always chooses none.
 */
export function choiceOf(
  text: string,
  previous: Pick<PreviousTurn, "offered" | "ageMs"> | undefined,
  texts: BotTexts,
): Choice | undefined {
  if (isNoneOfThese(text, texts)) return { kind: "none" };
  const offered: readonly Suggestion[] = previous?.offered ?? [];
  if (offered.length === 0 || previous!.ageMs > MAX_PAUSE_MS) return undefined;
  const choice = readChoice(text, {
    labels: offered.map(({ label }) => label),
    noneLabel: texts.say("noneOfThese"),
    language: texts.language,
  });
  if (choice === undefined || choice.kind === "none") return choice;
  return { kind: "some", intents: choice.indexes.map((index) => offered[index]!.intent) };
}
