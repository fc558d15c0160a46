import type { Classifier } from "../../domain/decision.ts";
import { normaliseText } from "../../text/normalise.ts";
import { reversed, rotated } from "./encodings.ts";

/** A single unreadable word may be a name, an abbreviation or a typing error. */
const FEWEST_GARBLED = 2;
const SHORTEST_TURNED = 4;
/** For example "dlt" and "ccnt". */
const WITHOUT_VOWELS = /^[b-df-hj-np-tv-xz]{3,}$/i;
/** Addresses consist of abbreviations, so they are left out. */
const ADDRESS = /\S*(?:@|:\/\/|\.\p{L})\S*/gu;
/** For example "DHL". */
const IN_CAPITALS = /^\p{Lu}+$/u;

/** Whether some words of a text are unreadable, so that its request is unknown: without vowels, or real words in ROT13 or reversed. */
export function isGarbled(
  text: string,
  { knows, isRealWord }: Pick<Classifier, "knows" | "isRealWord">,
): boolean {
  const found = new Set<string>();
  for (const [written] of text.replaceAll(ADDRESS, " ").matchAll(/\p{L}{3,}/gu)) {
    const word = normaliseText(written);
    if (knows(word) || isRealWord(word)) continue;
    const isTurned =
      word.length >= SHORTEST_TURNED && [rotated(word), reversed(word)].some((one) => isRealWord(one));
    if (isTurned || (WITHOUT_VOWELS.test(written) && !IN_CAPITALS.test(written))) found.add(word);
    if (found.size >= FEWEST_GARBLED) return true;
  }
  return false;
}
