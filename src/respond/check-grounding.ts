import type { WordingFault } from "../domain/decision.ts";
import { type Passage, titleOf } from "../knowledge/passage.ts";
import { foldText, hashPrefix, termsOf, visitUnits } from "../knowledge/terms.ts";
import { isFunctionWord } from "../text/function-words.ts";
import { hashWordText } from "../text/word-hash.ts";

/** An answer that its passages support. */
export interface GroundedAnswer {
  /** Its citations are numbered as the places of `cited`, from 1. */
  text: string;
  /** The places of the passages that it cites, in the order of its citations, from 0. */
  cited: readonly number[];
}

/** `[1]`, and `[1, 3]`, which small models write as well. */
const CITATION = /\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\](?!\()/g;
/**
 * Minimum share of the answer's content words that the cited passages must contain. Linking words may be the answer's own; an invented
 * answer has almost no words in common with its passages.
 */
const MIN_SUPPORTED = 0.5;

type GroundingFault = Extract<
  WordingFault,
  "no-citation" | "unknown-citation" | "own-number" | "unsupported"
>;

/**
 * Checks an answer against the passages that it was given: it cites some of them and no others, and those that it cites contain most
 * of its words and all of its numbers.
 */
export function checkGrounding(
  answer: string,
  passages: readonly Passage[],
): GroundedAnswer | { fault: GroundingFault } {
  const cited: number[] = [];
  for (const [, numbers] of answer.matchAll(CITATION)) {
    for (const number of numbers!.split(",")) {
      const place = Number(number) - 1;
      if (passages[place] === undefined) return { fault: "unknown-citation" };
      if (!cited.includes(place)) cited.push(place);
    }
  }
  if (cited.length === 0) return { fault: "no-citation" };
  const said = answer.replaceAll(CITATION, " ");
  const sources = cited.map((place) => passages[place]!);
  const fault = faultOf(said, sources);
  return fault === undefined ? { text: renumbered(answer, cited), cited } : { fault };
}

function renumbered(answer: string, cited: readonly number[]): string {
  return answer.trim().replaceAll(CITATION, (_, numbers: string) => {
    const places = numbers.split(",").map((number) => cited.indexOf(Number(number) - 1) + 1);
    return `[${places.join(", ")}]`;
  });
}

function faultOf(said: string, passages: readonly Passage[]): GroundingFault | undefined {
  const terms = termsOf(passages.map((passage) => `${titleOf(passage)}\n${passage.body}`).join("\n"));
  const folded = foldText(said);
  let words = 0;
  let supported = 0;
  let hasOwnNumber = false;
  visitUnits(folded, (start, end) => {
    const word = folded.slice(start, end);
    const hash = hashWordText(word);
    if (isFunctionWord(hash)) return;
    const isHeld = terms.has(hash);
    if (/\p{N}/u.test(word)) hasOwnNumber ||= !isHeld;
    const prefix = hashPrefix(word);
    words++;
    if (isHeld || (prefix !== undefined && terms.has(prefix))) supported++;
  });
  if (hasOwnNumber) return "own-number";
  return words > 0 && supported >= MIN_SUPPORTED * words ? undefined : "unsupported";
}
