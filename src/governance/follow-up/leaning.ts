import { GOING_ON, HARMLESS, pointsBack } from "../../text/follow-up-words.ts";
import { isFunctionWord, JOINTS } from "../../text/function-words.ts";
import { normaliseText } from "../../text/normalise.ts";
import { hashWordText } from "../../text/word-hash.ts";

/** Minimum probability at which a message is read together with the one before; below, it is read alone if that matches anything. */
export const LEANS = 0.5;

/** Signals of whether a message depends on the one before. */
export interface LeaningSignals {
  /** Cosine between the message alone and the message with the one before; high for an independent message. */
  unchanged: number;
  /** Cosine between the message with the one before and the name of the answered intent; 0 without one. */
  nearSubject: number;
  /** 1 if the turn before was not answered. */
  unanswered: number;
  /** 1 if it begins like a follow-up: "and", "but", "und". */
  goesOn: number;
  /** 1 if it refers back: "what about …", "does that …". */
  pointsBack: number;
  /** Number of possible subjects, at most four. */
  ownWords: number;
}

/** Weight of each signal in log odds; printed by `npm run bench:intent -- --fit`. */
const COEFFICIENTS: Readonly<Record<keyof LeaningSignals | "constant", number>> = {
  unchanged: -7.32,
  nearSubject: 4.71,
  unanswered: 2.27,
  goesOn: 2.02,
  pointsBack: 1.36,
  ownWords: -0.35,
  constant: 4.6,
};

const MAX_OWN_WORDS = 4;

/** The signals from the words of a message. */
export function signsOfLeaning(text: string): Pick<LeaningSignals, "goesOn" | "pointsBack" | "ownWords"> {
  const words = normaliseText(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const [first] = words;
  const own = words.filter((word) => !isFunctionWord(hashWordText(word)) && !HARMLESS.has(word));
  return {
    goesOn: Number(first !== undefined && (GOING_ON.has(first) || JOINTS.has(first))),
    pointsBack: Number(pointsBack(words)),
    ownWords: Math.min(own.length, MAX_OWN_WORDS),
  };
}

/** Probability (0–1) that a message depends on the one before, so that its meaning changes without it. */
export function chanceOfLeaning(signals: LeaningSignals, coefficients = COEFFICIENTS): number {
  let logit = coefficients.constant;
  for (const name of Object.keys(signals) as (keyof LeaningSignals)[])
    logit += coefficients[name] * signals[name];
  return 1 / (1 + Math.exp(-logit));
}
