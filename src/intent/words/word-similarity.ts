import type { TokenBuffer } from "../../text/tokenise.ts";
import { type FeatureBuffer, hashWord, WORD_GROUP } from "../features/features.ts";
import type { IntentModel } from "../model/intent-model.ts";
import { isFunctionWord } from "./function-words.ts";
import { occursIn } from "./occurrence.ts";
import type { WordMeanings, WordSelection } from "./word-meanings.ts";

/** Weight from which on a word says enough to be compared; frequent ones are like everything. */
const LEAST_WEIGHT = 0.3;
/** Comparisons that are remembered, each in a place of its own, for each intent and at most: 12 bytes each. */
const PLACES_PER_INTENT = 1000;
const MOST_PLACES = 131_072;
const EMPTY = -1;

/** How near what a text says is to what examples say, 0–1; a word that examples hold is as near as can be. */
export interface SimilarityToExamples {
  /** Mean, weighted by what each word says, of its similarity to the word of any example that is most similar. */
  toKnown: number;
  /** The same for the examples of one intent. */
  toIntent: number;
  /** Least similarity of a word to those of that intent. */
  weakest: number;
}

/** Of a text without words to compare: neither for nor against it. */
const NOTHING_SAID: SimilarityToExamples = { toKnown: 0.5, toIntent: 0.5, weakest: 0.5 };

/** A word that a bot's examples hold. */
interface KnownWord {
  hash: number;
  /** Its number among the meanings. */
  word: number;
  /** Its feature's row. */
  row: number;
}

/** Compares words by what they mean with those of a bot's examples. */
export class WordSimilarity {
  readonly #meanings: WordMeanings;
  readonly #model: IntentModel;
  readonly #known: readonly KnownWord[];
  /** Of each intent's words; behind them, of all that can name a subject, and of all others. */
  readonly #selections: (WordSelection | undefined)[] = [];
  /** What was compared last at each place: a word with one of the selections. */
  readonly #keys: Float64Array;
  readonly #values: Float32Array;

  constructor(meanings: WordMeanings, model: IntentModel) {
    this.#meanings = meanings;
    this.#model = model;
    const places = 2 ** Math.ceil(Math.log2(PLACES_PER_INTENT * model.intents.length));
    this.#keys = new Float64Array(Math.min(places, MOST_PLACES)).fill(EMPTY);
    this.#values = new Float32Array(this.#keys.length);
    const { units, offsets } = model.lexicon;
    const words = { units, starts: offsets, ends: offsets.subarray(1) };
    this.#known = Array.from({ length: offsets.length - 1 }, (_, i) => {
      const hash = hashWord(units, offsets[i]!, offsets[i + 1]!);
      return { hash, word: meanings.findForm(hash, words, i), row: model.vocabulary.index.find(hash) };
    }).filter(({ word, row }) => word >= 0 && row >= 0 && meanings.weightOf(word) >= LEAST_WEIGHT);
  }

  /** Of a text to the examples, and to those of one intent. */
  of({ hashes, groupEnds, tokens }: FeatureBuffer, intent: number): SimilarityToExamples {
    let total = 0;
    let toKnown = 0;
    let toIntent = 0;
    let weakest = 1;
    for (let i = 0; i < groupEnds[WORD_GROUP]!; i++) {
      const word = this.#meanings.findForm(hashes[i]!, tokens, i);
      const weight = word < 0 ? 0 : this.#meanings.weightOf(word);
      if (weight < LEAST_WEIGHT) continue;
      const row = this.#model.vocabulary.index.find(hashes[i]!);
      const similarity = this.#ofWordToIntent(word, row, intent);
      total += weight;
      toKnown += weight * (row >= 0 ? 1 : this.#toKnown(word));
      toIntent += weight * similarity;
      weakest = Math.min(weakest, similarity);
    }
    if (total === 0) return NOTHING_SAID;
    return { toKnown: toKnown / total, toIntent: toIntent / total, weakest };
  }

  /** Of a token, given by `hashWord` too, to any of the examples that can name a subject; 0 where it says too little to be compared. */
  ofWord(hash: number, tokens: TokenBuffer, token: number): number {
    const word = this.#meanings.findForm(hash, tokens, token);
    if (word < 0 || this.#meanings.weightOf(word) < LEAST_WEIGHT) return 0;
    return this.#toSubjects(word);
  }

  #toKnown(word: number): number {
    return Math.max(this.#toSubjects(word), this.#remembered(word, this.#model.intents.length + 1));
  }

  #toSubjects(word: number): number {
    return this.#remembered(word, this.#model.intents.length);
  }

  #ofWordToIntent(word: number, row: number, intent: number): number {
    return row >= 0 && this.#isOfIntent(row, intent) ? 1 : this.#remembered(word, intent);
  }

  /** @param intent the number of intents for the words of all of them that can name a subject; one more for those that cannot. */
  #remembered(word: number, intent: number): number {
    const key = word * (this.#model.intents.length + 2) + intent;
    const place = (Math.imul(key, 0x9e_37_79_b1) >>> 8) & (this.#keys.length - 1);
    if (this.#keys[place] !== key) {
      this.#keys[place] = key;
      this.#values[place] = this.#meanings.greatestSimilarity(word, this.#selectionOf(intent));
    }
    return this.#values[place]!;
  }

  #selectionOf(intent: number): WordSelection {
    const { length } = this.#model.intents;
    const isChosen = ({ hash, row }: KnownWord) =>
      intent < length ? this.#isOfIntent(row, intent) : isFunctionWord(hash) === intent > length;
    this.#selections[intent] ??= this.#meanings.select(this.#known.filter(isChosen).map(({ word }) => word));
    return this.#selections[intent];
  }

  #isOfIntent(row: number, intent: number): boolean {
    const { occurrence, intents } = this.#model;
    return occursIn(occurrence, row, intent, intents.length);
  }
}
