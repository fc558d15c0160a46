import { isFunctionWord } from "../../text/function-words.ts";
import type { TokenBuffer } from "../../text/tokenise.ts";
import { hashWord } from "../../text/word-hash.ts";
import type { IntentModel } from "../model/intent-model.ts";
import { occursIn } from "../model/occurrence.ts";
import type { WordMeanings, WordSelection } from "../words/word-meanings.ts";

/** Weight from which on a word says enough to be compared. Chosen by hand: "want" has 0.33, "have" 0.07, "parcel" 0.99. */
const LEAST_WEIGHT = 0.3;
/**
 * Comparisons that are kept: for each intent, and at most. One takes 12 bytes. They are kept because messages repeat words, and one
 * comparison reads the vectors of all words of an intent, or of a bot.
 */
const KEPT_PER_INTENT = 1000;
const MOST_KEPT = 131_072;
const EMPTY = -1;

/** How near in meaning the words of a text are to those of the examples, 0–1. A word that examples hold is as near as can be. */
export interface SimilarityToExamples {
  /** Mean over the text's words of the similarity to the most similar word of any example. Each word counts for what it says. */
  toKnown: number;
  /** The same for the examples of one intent. */
  toIntent: number;
  /** The least similarity of any word to the words of that intent. */
  weakest: number;
}

/** Of a text without words to compare: neither for nor against it. */
const NOTHING_SAID: SimilarityToExamples = { toKnown: 0.5, toIntent: 0.5, weakest: 0.5 };

/** A word of a text. */
export interface ComparedWord {
  /** Its number among the meanings; −1 where it has none. */
  meaning: number;
  /** Its row among the model's features; −1 where no example holds it. */
  row: number;
}

/** A word that a bot's examples hold. */
interface KnownWord {
  hash: number;
  /** Its number among the meanings. */
  word: number;
  /** Its row among the model's features. */
  row: number;
}

/** Compares words by meaning with those of a bot's examples. */
export class WordSimilarity {
  readonly #meanings: WordMeanings;
  readonly #model: IntentModel;
  readonly #known: readonly KnownWord[];
  /** What words are compared with: the words of each intent, by its number; then the two of all intents, by the numbers below. */
  readonly #selections: (WordSelection | undefined)[] = [];
  /** Number of the selection of all words that can name a subject. */
  readonly #subjects: number;
  /** Number of the selection of all function words. */
  readonly #functionWords: number;
  /** The comparison that was made last at each place: a word with a selection, as one number. */
  readonly #keys: Float64Array;
  readonly #values: Float32Array;

  constructor(meanings: WordMeanings, model: IntentModel) {
    this.#meanings = meanings;
    this.#model = model;
    this.#subjects = model.intents.length;
    this.#functionWords = model.intents.length + 1;
    const places = 2 ** Math.ceil(Math.log2(KEPT_PER_INTENT * model.intents.length));
    this.#keys = new Float64Array(Math.min(places, MOST_KEPT)).fill(EMPTY);
    this.#values = new Float32Array(this.#keys.length);
    this.#known = knownWords(meanings, model);
  }

  /** Similarity of a text to the examples, and to those of one intent. */
  of(words: readonly ComparedWord[], intent: number): SimilarityToExamples {
    let total = 0;
    let toKnown = 0;
    let toIntent = 0;
    let weakest = 1;
    for (const { meaning, row } of words) {
      const weight = meaning < 0 ? 0 : this.#meanings.weightOf(meaning);
      if (weight < LEAST_WEIGHT) continue;
      const similarity = row >= 0 && this.#isOfIntent(row, intent) ? 1 : this.#similarityTo(intent, meaning);
      total += weight;
      toKnown += weight * (row >= 0 ? 1 : this.#similarityToAny(meaning));
      toIntent += weight * similarity;
      weakest = Math.min(weakest, similarity);
    }
    if (total === 0) return NOTHING_SAID;
    return { toKnown: toKnown / total, toIntent: toIntent / total, weakest };
  }

  /**
   * Similarity of one word to the words of any example that can name a subject; 0 where it says too little to be compared.
   * @param hash the word, as `hashWord` makes it.
   * @param token its place in `tokens`.
   */
  ofWord(hash: number, tokens: TokenBuffer, token: number): number {
    const word = this.#meanings.findForm(hash, tokens, token);
    if (word < 0 || this.#meanings.weightOf(word) < LEAST_WEIGHT) return 0;
    return this.#similarityTo(this.#subjects, word);
  }

  #similarityToAny(word: number): number {
    return Math.max(this.#similarityTo(this.#subjects, word), this.#similarityTo(this.#functionWords, word));
  }

  /** The greatest similarity of a word to those of a selection, kept from last time or computed anew. */
  #similarityTo(selection: number, word: number): number {
    const key = word * (this.#functionWords + 1) + selection;
    const place = (Math.imul(key, 0x9e_37_79_b1) >>> 8) & (this.#keys.length - 1);
    if (this.#keys[place] !== key) {
      this.#keys[place] = key;
      this.#values[place] = this.#meanings.greatestSimilarity(word, this.#wordsOf(selection));
    }
    return this.#values[place]!;
  }

  #wordsOf(selection: number): WordSelection {
    const isChosen = ({ hash, row }: KnownWord) =>
      selection < this.#subjects
        ? this.#isOfIntent(row, selection)
        : isFunctionWord(hash) === (selection === this.#functionWords);
    this.#selections[selection] ??= this.#meanings.select(
      this.#known.filter(isChosen).map(({ word }) => word),
    );
    return this.#selections[selection];
  }

  #isOfIntent(row: number, intent: number): boolean {
    const { occurrence, intents } = this.#model;
    return occursIn(occurrence, row, intent, intents.length);
  }
}

/** The words of a model's examples that have a meaning and say enough to be compared. */
function knownWords(meanings: WordMeanings, { lexicon, vocabulary }: IntentModel): KnownWord[] {
  const { codeUnits, offsets } = lexicon;
  const words = { codeUnits, starts: offsets, ends: offsets.subarray(1) };
  return Array.from({ length: offsets.length - 1 }, (_, i) => {
    const hash = hashWord(codeUnits, offsets[i]!, offsets[i + 1]!);
    return { hash, word: meanings.findForm(hash, words, i), row: vocabulary.index.find(hash) };
  }).filter(({ word, row }) => word >= 0 && row >= 0 && meanings.weightOf(word) >= LEAST_WEIGHT);
}
