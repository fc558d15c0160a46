import { type Classification, type Classifier, type ReadingMeaning } from "../../domain/decision.ts";
import { JOINTS } from "../../text/function-words.ts";
import { normaliseText } from "../../text/normalise.ts";

/** A part of a message with its classification. */
export interface JudgedPart {
  text: string;
  classification: Classification;
  /** Present if it was encoded. */
  meaning?: ReadingMeaning;
  /** Whether it has a subject; "is it free?" depends on the other part. */
  hasSubject: boolean;
}

/** The two parts of a message that match two different intents best. */
export interface JudgedParts {
  parts: readonly [JudgedPart, JudgedPart];
  isJoined: boolean;
}

/** The parts of the classifier that are used. */
interface PartJudge extends Pick<Classifier, "classify"> {
  hasSubject: (text: string) => boolean;
}

/**
 * Splits a message where its parts match two different intents most clearly, or where one part matches most clearly. Undefined if it cannot
 * be split.
 */
export function judgeParts(message: string, judge: PartJudge): JudgedParts | undefined {
  const splits = splitsInTwo(message);
  if (splits.length === 0) return undefined;
  const judged = splits.map((split) => judgeSplit(split, judge));
  return judged.toSorted((left, right) => clarityOf(right) - clarityOf(left))[0];
}

function judgeSplit({ first, second, isJoined }: TwoParts, judge: PartJudge): JudgedParts {
  const part = (text: string): JudgedPart => ({
    text,
    classification: judge.classify(text),
    hasSubject: judge.hasSubject(text),
  });
  return { parts: [part(first), part(second)], isJoined };
}

/** Two clear parts with different intents score higher than one. */
function clarityOf({ parts: [first, second] }: JudgedParts): number {
  const [one, other] = [first.classification, second.classification];
  const differ = one.scores[0]?.intent !== other.scores[0]?.intent;
  const clearest = Math.max(one.confidence, other.confidence);
  return differ ? clearest + 2 * Math.min(one.confidence, other.confidence) : clearest;
}

/** A message as two parts, in its own words. */
interface TwoParts {
  first: string;
  second: string;
  /** Whether the second part begins with a joint such as "and", so that it asks for something else. */
  isJoined: boolean;
}

/** Fewest words of a part; a question is rarely a single word. */
const MIN_WORDS = 2;
/** Limits the work for a message of commas only. */
const MAX_SPLITS = 6;
/** A longer message is a story with one request. */
const MAX_CHARACTERS = 400;

const BOUNDARY = /\n+|[.!?;:…]+(?=\s)|[,–—](?=\s)|\s(?=[\p{L}'’]+\s)/gu;
const WORD = /[\p{L}\p{M}\p{N}'’]+/gu;

/** All splits of a message in two: at the end of a line or sentence, at a comma, before a joint. */
function splitsInTwo(message: string): TwoParts[] {
  if (message.length > MAX_CHARACTERS) return [];
  const splits: TwoParts[] = [];
  for (const { 0: sign, index } of message.matchAll(BOUNDARY)) {
    const split = splitAt(message, index + sign.length, /^\s$/.test(sign) && sign !== "\n");
    if (split !== undefined) splits.push(split);
    if (splits.length === MAX_SPLITS) break;
  }
  return splits;
}

/** @param needsJoint between two words of a sentence, where only a joint allows a split. */
function splitAt(message: string, at: number, needsJoint: boolean): TwoParts | undefined {
  const first = message.slice(0, at).trim();
  const rest = message.slice(at).trim();
  const second = withoutJoint(rest);
  const isJoined = second !== rest;
  if (needsJoint && !isJoined) return undefined;
  return countWords(first) >= MIN_WORDS && countWords(second) >= MIN_WORDS
    ? { first, second, isJoined }
    : undefined;
}

function withoutJoint(text: string): string {
  const word = /^[\p{L}'’]+/u.exec(text)?.[0];
  return word !== undefined && JOINTS.has(normaliseText(word)) ? text.slice(word.length).trim() : text;
}

function countWords(text: string): number {
  return text.match(WORD)?.length ?? 0;
}
