import { normaliseText } from "../../text/normalise.ts";
import { TokenBuffer } from "../../text/tokenise.ts";
import { END, hashPair, START } from "../../text/word-hash.ts";
import type { IntentModel } from "../model/intent-model.ts";
import { repairWord } from "../words/spelling.ts";
import type { WordFacts, WordFactsOf } from "./word-facts.ts";

/**
 * A text as one model reads it: its tokens, misspelt words repaired, and what the model knows of each. Filled again for every text; what is read
 * of it is used before the next is read.
 */
export class ReadText {
  readonly tokens = new TokenBuffer();
  normalised = "";
  /** Where the tokens stand in the normalised text. */
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  /** What is known of each as it is written. */
  readonly written: WordFacts[] = [];
  /** What is known of each, repaired. */
  readonly facts: WordFacts[] = [];
  /** The rows of the pairs of neighbours, the ends of the text among them: one more than there are tokens. */
  readonly pairRows: number[] = [];
  /** How many words were repaired. */
  repaired = 0;
  /** Changes when another text is read. */
  number = 0;
  #text = "";
  #reader: WordFactsOf | undefined;

  /** Reads a text, unless it is the one that was read last. */
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
