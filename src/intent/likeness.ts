import { type FeatureBuffer, hashWord, WORD_GROUP } from "./features.ts";
import type { Lexicon } from "./spelling.ts";
import type { WordMeanings } from "./word-meanings.ts";

/** Weight from which on a word says enough to be compared with; frequent ones are like everything. */
const LEAST_WEIGHT = 0.3;

/** How near what a text says is to what a bot's examples say, word by word. */
export class Likeness {
  readonly #meanings: WordMeanings;
  /** Words of the examples. */
  readonly #compared: Int32Array;
  /** Of the examples' words, 1; of others that were asked for, likeness to the word of the examples that is most like it. */
  readonly #greatest = new Map<number, number>();

  constructor(meanings: WordMeanings, { units, offsets }: Lexicon) {
    this.#meanings = meanings;
    const known = Int32Array.from({ length: offsets.length - 1 }, (_, word) =>
      meanings.find(hashWord(units, offsets[word]!, offsets[word + 1]!)),
    ).filter((word) => word >= 0);
    for (const word of known) this.#greatest.set(word, 1);
    this.#compared = known.filter((word) => meanings.weightOf(word) >= LEAST_WEIGHT);
  }

  /** Share, 0–1, of what the text's words say that is known, where a word counts by its likeness to a known one. Without words: 1. */
  of({ hashes, groupEnds }: FeatureBuffer): number {
    let total = 0;
    let known = 0;
    for (let i = 0; i < groupEnds[WORD_GROUP]!; i++) {
      const word = this.#meanings.find(hashes[i]!);
      if (word < 0) continue;
      const weight = this.#meanings.weightOf(word);
      total += weight;
      known += weight * this.#toKnownWords(word);
    }
    return total === 0 ? 1 : known / total;
  }

  #toKnownWords(word: number): number {
    let greatest = this.#greatest.get(word);
    if (greatest === undefined) {
      greatest = 0;
      for (const known of this.#compared) {
        greatest = Math.max(greatest, this.#meanings.likeness(word, known));
      }
      this.#greatest.set(word, greatest);
    }
    return greatest;
  }
}
