import { JOINTS } from "../../text/function-words.ts";
import { normaliseText } from "../../text/normalise.ts";

/** A message as two parts, in its own words. */
export interface TwoParts {
  first: string;
  second: string;
  /** Whether the second part begins with a joint such as "and", so that it asks for something else. */
  isJoined: boolean;
}

/** Fewest words of a part; a question is rarely a single word. */
const FEWEST_WORDS = 2;
/** Limits the work for a message of commas only. */
const MOST_SPLITS = 6;
/** A longer message is a story with one request. */
const MOST_CHARACTERS = 400;

const BOUNDARY = /\n+|[.!?;:…]+(?=\s)|[,–—](?=\s)|\s(?=[\p{L}'’]+\s)/gu;
const WORD = /[\p{L}\p{M}\p{N}'’]+/gu;

/** All splits of a message in two: at the end of a line or sentence, at a comma, before a joint. */
export function splitsInTwo(message: string): TwoParts[] {
  if (message.length > MOST_CHARACTERS) return [];
  const splits: TwoParts[] = [];
  for (const { 0: sign, index } of message.matchAll(BOUNDARY)) {
    const split = splitAt(message, index + sign.length, /^\s$/.test(sign) && sign !== "\n");
    if (split !== undefined) splits.push(split);
    if (splits.length === MOST_SPLITS) break;
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
  return countWords(first) >= FEWEST_WORDS && countWords(second) >= FEWEST_WORDS
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
