import type { Classification, DeniedBy } from "../domain/decision.ts";
import type { IntentName } from "../domain/ids.ts";
import type { ReadingMeaning } from "../domain/reading-meaning.ts";
import type { SubjectReference } from "../domain/subject.ts";
import type { SocialTurn } from "../social/social-turn.ts";
import type { JudgedParts } from "./parts/judge-parts.ts";

/** A denied intent, and the chance, 0–1, that it was asked for. */
export interface Suspicion {
  intent: IntentName;
  chance: number;
}

/** One reading of a message: as it was written, with disguises taken off, behind what was said before it, or as a model would ask it alone. */
export interface JudgedReading {
  reading: "plain" | "undisguised" | "in-context" | "standalone";
  /** What it says, where it is undisguised. */
  text?: string;
  classification: Classification;
  /** Where it was encoded. */
  meaning?: ReadingMeaning;
  /** In the reading as a whole. */
  whole?: Suspicion;
  /** In a part of it: its words and signs from `from` up to `to`. */
  clause?: Suspicion & { from: number; to: number };
}

/** A message behind the visitor's turn before it and the name of what was answered. */
export interface ReadingInContext extends JudgedReading {
  /** The chance, 0–1, that the message leans on them. */
  leans: number;
  /** What was answered to the turn before; absent where nothing was. */
  about?: SubjectReference;
  /** It brings a word that no example has, which may name what is denied. */
  bringsWord: boolean;
  meaning: ReadingMeaning;
}

/** What a model made of a message, with what was said before it. */
export interface ReadByModel {
  /** The question that stands alone, judged as a message is. */
  question: JudgedMessage;
  /** Absent where the model left it open. */
  choice?: ModelChoice;
}

/** What a model chose among the candidates that it was shown: one of them, or none, and then also none of these passages. */
export type ModelChoice =
  | { kind: "one"; target: SubjectReference }
  | { kind: "none"; passages: readonly number[] };

/** A message in all its readings, as written first. */
export interface JudgedMessage {
  /** As it was written. */
  text: string;
  plain: JudgedReading;
  /** The term or pattern that denies it, whatever it asks for. */
  deniedBy?: DeniedBy;
  /** What it asks for, courtesies and abbreviations aside: what was classified. Absent where it asks for nothing. */
  request?: string;
  /** Chance, 0–1, of asking for something denied by other evidence than the classifier's: what the message means, or what servers say. */
  deniedByOthers?: number;
  undisguised: readonly JudgedReading[];
  /** Where it may lean on what was said before. */
  inContext?: ReadingInContext;
  /** Where a model read it: what it asks for is then decided by its question, and what is denied is looked for in that, too. */
  byModel?: ReadByModel;
  /** The clearest part of the message as written, where the whole matches nothing. */
  clearestClause?: Classification;
  /** Its two parts, where it has two. */
  parts?: JudgedParts;
  /** Where it is a single word: the intents whose examples have it, the one it says most of first. */
  sharedBy?: readonly IntentName[];
  /** Where it is nothing but a greeting, thanks or the like, and the bot takes such turns. */
  social?: SocialTurn;
  /** It asks for a person, beside something else or not, and the bot offers one who is asked for. */
  asksForPerson?: true;
  /** Some of its words are made unreadable, and the bot denies intents that they may ask for. */
  isGarbled?: true;
  /** It is one of the examples, word for word. */
  isExample: boolean;
  /** So short that it may lean on the turn before it. */
  isBrief: boolean;
  /** It begins as messages do that go on with what was said before; whether it may have a subject of its own beside that. */
  goesOn?: "surely" | "maybe";
  /** It says yes, and nothing else. */
  isAgreement: boolean;
}

/** All readings of a message, and of the question that a model made of it. */
export function readingsOf(judged: JudgedMessage): readonly JudgedReading[] {
  const own = ownReadingsOf(judged);
  if (judged.byModel === undefined) return own;
  const ofQuestion = ownReadingsOf(judged.byModel.question).map((found): JudgedReading =>
    found.reading === "plain" ? { ...found, reading: "standalone" } : found,
  );
  return [...own, ...ofQuestion];
}

/** The readings of a message itself. */
export function ownReadingsOf({ plain, undisguised, inContext }: JudgedMessage): readonly JudgedReading[] {
  if (inContext) return [plain, ...undisguised, inContext];
  return undisguised.length === 0 ? [plain] : [plain, ...undisguised];
}

/** By what it is told what a message asks for: the question that a model made of it, or else the message itself. */
export function askedBy(judged: JudgedMessage): JudgedMessage {
  return judged.byModel?.question ?? judged;
}
