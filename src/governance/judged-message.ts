import type { Classification, DeniedBy, ReadingMeaning } from "../domain/decision.ts";
import type { IntentName } from "../domain/ids.ts";
import type { SubjectReference } from "../domain/subject.ts";
import type { SocialTurn } from "../social/social-turn.ts";
import type { JudgedParts } from "./parts/judge-parts.ts";

/** A denied intent with the probability (0–1) that it is asked for. */
export interface Suspicion {
  intent: IntentName;
  chance: number;
}

/** One reading of a message: original, without disguises, together with the message before, or rewritten by a model. */
export interface JudgedReading {
  reading: "plain" | "undisguised" | "in-context" | "standalone";
  /** The text without disguises, if it differs. */
  text?: string;
  classification: Classification;
  /** Present if it was encoded. */
  meaning?: ReadingMeaning;
  /** For the reading as a whole. */
  whole?: Suspicion;
  /** For a part of it: tokens `from` up to `to`. */
  clause?: Suspicion & { from: number; to: number };
}

/** A message together with the visitor's message before and the name of its answered intent. */
export interface ReadingInContext extends JudgedReading {
  /** Probability (0–1) that the message depends on them. */
  leans: number;
  /** Subject of the turn before; absent if it was not answered. */
  about?: SubjectReference;
  /** It has a word that is in no example and may name something denied. */
  bringsWord: boolean;
  meaning: ReadingMeaning;
}

/** A model's reading of a message in its conversation. */
export interface ReadByModel {
  /** The standalone question, judged like a message. */
  question: JudgedMessage;
  /** Absent if the model did not choose. */
  choice?: ModelChoice;
}

/** The model's choice among the candidates shown: one of them, or none, with the passages that were shown. */
export type ModelChoice =
  | { kind: "one"; target: SubjectReference }
  | { kind: "none"; passages: readonly number[] };

/** A message in all readings, the original first. */
export interface JudgedMessage {
  /** The original text. */
  text: string;
  plain: JudgedReading;
  /** The term or pattern that denies it, whatever its intent. */
  deniedBy?: DeniedBy;
  /** The request without small talk and abbreviations, which was classified. Absent if there is none. */
  request?: string;
  /** Probability (0–1) of asking for something denied by evidence other than the word-based classifier: meaning or model servers. */
  deniedByOthers?: number;
  undisguised: readonly JudgedReading[];
  /** Present if it may depend on the turn before. */
  inContext?: ReadingInContext;
  /** A model's reading. Its question then decides the intent, and both are checked for denied intents. */
  byModel?: ReadByModel;
  /** The clearest part of the original message, if the whole does not match. */
  clearestClause?: Classification;
  /** Its two parts, if it has two. */
  parts?: JudgedParts;
  /** For a single word: the intents with it in their examples, most typical first. */
  sharedBy?: readonly IntentName[];
  /** Set if it is only small talk and the bot answers that. */
  social?: SocialTurn;
  /** It asks for a person, possibly beside something else, and the bot offers one. */
  asksForPerson?: true;
  /** Some of its words are unreadable, and they may ask for an intent that the bot denies. */
  isGarbled?: true;
  /** It is identical to an example. */
  isExample: boolean;
  /** It is so brief that it may depend on the turn before. */
  isBrief: boolean;
  /** Set if it begins like a follow-up; whether it may also have its own subject. */
  goesOn?: "surely" | "maybe";
  /** It says yes and nothing else. */
  isAgreement: boolean;
}

/** All readings of a message and of the question rewritten by a model. */
export function readingsOf(judged: JudgedMessage): readonly JudgedReading[] {
  const own = ownReadingsOf(judged);
  if (judged.byModel === undefined) return own;
  const ofQuestion = ownReadingsOf(judged.byModel.question).map((found): JudgedReading =>
    found.reading === "plain" ? { ...found, reading: "standalone" } : found,
  );
  return [...own, ...ofQuestion];
}

/** The readings of the message itself. */
export function ownReadingsOf({ plain, undisguised, inContext }: JudgedMessage): readonly JudgedReading[] {
  if (inContext) return [plain, ...undisguised, inContext];
  return undisguised.length === 0 ? [plain] : [plain, ...undisguised];
}

/** The judged text that decides what is asked for: the question rewritten by a model, or else the message. */
export function askedBy(judged: JudgedMessage): JudgedMessage {
  return judged.byModel?.question ?? judged;
}
