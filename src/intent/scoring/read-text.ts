import { normaliseText } from "../../text/normalise.ts";
import { TokenBuffer } from "../../text/tokenise.ts";
import { END, hashPair, START } from "../../text/word-hash.ts";
import type { IntentModel } from "../model/intent-model.ts";
import { repairWord } from "../words/spelling.ts";
import type { WordFacts, WordFactsOf } from "./word-facts.ts";

/**
 * A text as read by one model: its tokens, with misspelt words corrected, and the model's facts about each. Overwritten by the next
 * text.
 */
export class ReadText {
  readonly tokens = new TokenBuffer();
  normalised = "";
  /** Positions of the tokens in the normalised text. */
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  /** Facts about each token as written. */
  readonly written: WordFacts[] = [];
  /** Facts about each token after correction. */
  readonly facts: WordFacts[] = [];
  /** Rows of the pairs of adjacent tokens, start and end marks included: one more than there are tokens; −1 for unknown pairs. */
  readonly pairRows: number[] = [];
  /** Number of corrected words. */
  repaired = 0;
  /** Incremented for each text. */
  number = 0;
  #text = "";
  #reader: WordFactsOf | undefined;

  /** Reads a text, unless it was the last one read. */
  read(text: string, model: IntentModel, words: WordFactsOf): void {
    if (this.#reader === words && this.#text === text) return;
    this.#reader = undefined;
    this.number++;
    this.normalised = normaliseText(text);
    this.tokens.read(this.normalised);
    this.#readTokens(model, words);
    this.#readPairs(model);
    this.#text = text;
    this.#reader = words;
  }

  /** A token as it is written. */
  unit(token: number): string {
    return this.normalised.slice(this.starts[token], this.ends[token]);
  }

  #readTokens(model: IntentModel, words: WordFactsOf): void {
    const { tokens, starts, ends, written, facts } = this;
    const { count } = tokens;
    starts.length = ends.length = written.length = facts.length = count;
    this.repaired = 0;
    for (let t = 0; t < count; t++) {
      starts[t] = tokens.starts[t]!;
      ends[t] = tokens.ends[t]!;
      const known = words.find(tokens, t);
      written[t] = known;
      facts[t] = known.isSettled ? known : this.#repaired(t, known, model, words);
    }
  }

  #repaired(
    token: number,
    facts: WordFacts,
    { lexicon, vocabulary }: IntentModel,
    words: WordFactsOf,
  ): WordFacts {
    const { tokens } = this;
    if (!repairWord(lexicon, tokens, token, vocabulary.index)) return facts;
    this.repaired++;
    return words.find(tokens, token);
  }

  #readPairs({ vocabulary: { index } }: IntentModel): void {
    const { facts, pairRows } = this;
    pairRows.length = facts.length + 1;
    let left = START;
    for (let t = 0; t < facts.length; t++) {
      const right = facts[t]!.hash;
      pairRows[t] = index.find(hashPair(left, right));
      left = right;
    }
    pairRows[facts.length] = index.find(hashPair(left, END));
  }
}
