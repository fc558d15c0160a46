import { GOING_ON, HARMLESS, pointsBack } from "../../text/follow-up-words.ts";
import { isFunctionWord } from "../../text/function-words.ts";
import { JOINTS } from "../../text/joints.ts";
import { normaliseText } from "../../text/normalise.ts";
import { hashWordText } from "../../text/word-hash.ts";

/** From this chance on, a message is taken as it reads behind what was said before; below, as it reads alone, where that says anything. */
export const LEANS = 0.5;

/** What tells whether a message leans on what was said before it. */
export interface LeaningSignals {
  /** Cosine of the message alone and the message behind the turn before it: of one that stands alone, both mean nearly the same. */
  unchanged: number;
  /** Cosine of the message behind the turn before it and the name of what was answered; 0 where nothing was. */
  nearSubject: number;
  /** 1 where nothing was answered to the turn before. */
  unanswered: number;
  /** 1 where it begins as messages do that go on: "and", "but", "und". */
  goesOn: number;
  /** 1 where it points back: "what about …", "does that …". */
  pointsBack: number;
  /** Words that may be a subject of its own, at most four. */
  ownWords: number;
}

/** What each signal adds to the log odds; printed by `npm run bench:intent -- --fit`. */
const COEFFICIENTS: Readonly<Record<keyof LeaningSignals | "constant", number>> = {
  unchanged: -7.32,
  nearSubject: 4.71,
  unanswered: 2.27,
  goesOn: 2.02,
  pointsBack: 1.36,
  ownWords: -0.35,
  constant: 4.6,
};

const MOST_OWN_WORDS = 4;

/** The signals that the words of a message give. */
export function signsOfLeaning(text: string): Pick<LeaningSignals, "goesOn" | "pointsBack" | "ownWords"> {
  const words = normaliseText(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const [first] = words;
  const own = words.filter((word) => !isFunctionWord(hashWordText(word)) && !HARMLESS.has(word));
  return {
    goesOn: Number(first !== undefined && (GOING_ON.has(first) || JOINTS.has(first))),
    pointsBack: Number(pointsBack(words)),
    ownWords: Math.min(own.length, MOST_OWN_WORDS),
  };
}

/** The chance, 0–1, that a message leans on what was said before it: that it says something else without. */
export function chanceOfLeaning(signals: LeaningSignals, coefficients = COEFFICIENTS): number {
  let logit = coefficients.constant;
  for (const name of Object.keys(signals) as (keyof LeaningSignals)[])
    logit += coefficients[name] * signals[name];
  return 1 / (1 + Math.exp(-logit));
}
