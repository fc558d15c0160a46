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
  /** The tokens as they are written. */
  units: string[] = [];
  /** Where they stand in the normalised text. */
  starts: number[] = [];
  ends: number[] = [];
  /** What is known of each, repaired. */
  facts: WordFacts[] = [];
  /** The rows of the pairs of neighbours, the ends of the text among them: one more than there are tokens. */
  pairRows: number[] = [];
  /** How many words were repaired. */
  repaired = 0;
  #text = "";
  #reader: WordFactsOf | undefined;

  /** Reads a text, unless it is the one that was read last. */
  read(text: string, model: IntentModel, words: WordFactsOf): void {
    if (this.#reader === words && this.#text === text) return;
    this.#reader = undefined;
    this.normalised = normaliseText(text);
    this.tokens.read(this.normalised);
    this.#readTokens(model, words);
    this.#readPairs(model);
    this.#text = text;
    this.#reader = words;
  }

  /** The tokens before any was repaired. */
  writtenTokens() {
    return {
      codeUnits: this.tokens.codeUnits,
      starts: this.starts,
      ends: this.ends,
      count: this.tokens.count,
    };
  }

  #readTokens(model: IntentModel, words: WordFactsOf): void {
    const { tokens, normalised } = this;
    this.units = [];
    this.starts = [];
    this.ends = [];
    this.facts = [];
    this.repaired = 0;
    for (let t = 0; t < tokens.count; t++) {
      const start = tokens.starts[t]!;
      const end = tokens.ends[t]!;
      const unit = normalised.slice(start, end);
      this.units.push(unit);
      this.starts.push(start);
      this.ends.push(end);
      const facts = words.find(unit, tokens, t);
      this.facts.push(facts.isSettled ? facts : this.#repaired(t, facts, model, words));
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
    return words.find(tokens.word(token), tokens, token);
  }

  #readPairs({ vocabulary: { index } }: IntentModel): void {
    const { facts } = this;
    this.pairRows = [];
    let left = START;
    for (let t = 0; t <= facts.length; t++) {
      const right = t < facts.length ? facts[t]!.hash : END;
      this.pairRows.push(index.find(hashPair(left, right)));
      left = right;
    }
  }
}
