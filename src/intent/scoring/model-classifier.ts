import type { Classification, Classifier, TextScan } from "../../domain/decision.ts";
import type { IntentName } from "../../domain/ids.ts";
import { isFunctionWord } from "../../text/function-words.ts";
import { normaliseText } from "../../text/normalise.ts";
import { TokenBuffer } from "../../text/tokenise.ts";
import { hashOfPlainWord, hashWord } from "../../text/word-hash.ts";
import { type Chances, estimateChances } from "../calibration/calibration.ts";
import { hashOfWords } from "../model/example-index.ts";
import { type IntentModel, occursIn } from "../model/intent-model.ts";
import { REAL_WORDS } from "../words/real-words.ts";
import { Coverage, coverageOf } from "./coverage.ts";
import { type Evidence, gatherEvidence } from "./evidence.ts";
import { rankIntents, shareChances } from "./rank-intents.ts";
import { ReadText } from "./read-text.ts";
import { ModelScan } from "./scan.ts";
import { WeighedWords } from "./weighed-words.ts";
import { type WordFacts, WordFactsOf } from "./word-facts.ts";

const NO_CHANCES: Chances = { inScope: 0, confidence: 0 };

/** Memory for one text at a time, shared by all classifiers of a thread, and overwritten by the next text. */
interface Workspace {
  tokens: TokenBuffer;
  text: ReadText;
  vector: WeighedWords;
}

let sharedWorkspace: Workspace | undefined;

function workspace(): Workspace {
  sharedWorkspace ??= {
    tokens: new TokenBuffer(),
    text: new ReadText(),
    vector: new WeighedWords(),
  };
  return sharedWorkspace;
}

/** Parts of a classification; without evidence if the text has no feature in common with the examples. */
export interface WeighedText {
  evidence: Evidence | undefined;
  chances: Chances;
  /** Number of words and signs. */
  tokenCount: number;
}

/** Classifies texts with a trained model. */
export class ModelClassifier implements Classifier {
  readonly intents: readonly IntentName[];
  readonly matchThreshold: number;
  readonly #bytes: Uint8Array | undefined;
  readonly #model: IntentModel;
  readonly #scores: Float64Array;
  #words: WordFactsOf | undefined;

  constructor(model: IntentModel, bytes?: Uint8Array) {
    this.#bytes = bytes;
    this.intents = model.intents;
    this.matchThreshold = model.calibration.matchThreshold;
    this.#model = model;
    this.#scores = new Float64Array(model.intents.length);
  }

  /** The model's bytes. @throws Error if it was opened without them */
  get bytes(): Uint8Array {
    if (this.#bytes === undefined) throw new Error("the classifier was made of a model without its bytes");
    return this.#bytes;
  }

  classify(text: string): Classification {
    const { evidence, chances } = this.judge(text);
    if (evidence === undefined)
      return { scores: [], confidences: new Float32Array(this.intents.length), ...chances };
    const { probabilities, best } = evidence;
    const confidences = shareChances(probabilities, best, chances);
    return { scores: rankIntents(confidences, this.intents, best), confidences, ...chances };
  }

  judge(text: string): WeighedText {
    const evidence = this.weighEvidence(text);
    const tokenCount = this.#read(text).facts.length;
    if (evidence === undefined) return { evidence, chances: NO_CHANCES, tokenCount };
    const { signals, coverage } = evidence;
    return { evidence, chances: estimateChances(signals, coverage, this.#model.calibration), tokenCount };
  }

  knows(word: string): boolean {
    const plain = hashOfPlainWord(word);
    if (plain !== undefined) return this.knowsHash(plain);
    const { tokens } = workspace();
    tokens.read(normaliseText(word));
    if (tokens.count !== 1) return false;
    return this.knowsHash(hashWord(tokens.codeUnits, tokens.starts[0]!, tokens.ends[0]!));
  }

  knowsHash(hash: number): boolean {
    return this.#model.vocabulary.index.find(hash) >= 0;
  }

  isRealWord(word: string): boolean {
    const { tokens } = workspace();
    tokens.read(normaliseText(word));
    if (tokens.count !== 1) return false;
    const hash = hashWord(tokens.codeUnits, tokens.starts[0]!, tokens.ends[0]!);
    return isFunctionWord(hash) || REAL_WORDS.find(hash) >= 0;
  }

  isExample(text: string): boolean {
    return this.#model.examples.includes(hashOfWords(this.#read(text).written));
  }

  intentsSharing(text: string): readonly IntentName[] {
    const word = onlyWordOf(this.#read(text));
    return word === undefined || word.row < 0 ? [] : this.#intentsHaving(word.row);
  }

  /** Intents whose examples contain the word of a row, by its falling weight for them. */
  #intentsHaving(row: number): IntentName[] {
    const { intents, occurrence, weights } = this.#model;
    const weightOf = (intent: number) => weights.cells[row * intents.length + intent]!;
    return intents
      .map((name, intent) => ({ name, intent }))
      .filter(({ intent }) => occursIn(occurrence, row, intent, intents.length))
      .toSorted((left, right) => weightOf(right.intent) - weightOf(left.intent))
      .map(({ name }) => name);
  }

  scan(text: string): TextScan {
    return new ModelScan(this.#read(text), this.#model);
  }

  /** The calibration's input; undefined if the text has no feature in common with the examples. */
  weighEvidence(text: string): Evidence | undefined {
    if (this.intents.length === 0) return undefined;
    const read = this.#read(text);
    if (read.facts.length === 0) return undefined;
    const { vector } = workspace();
    if (!vector.read(read, this.#model)) return undefined;
    vector.score(read, this.#model, this.#scores);
    const gathered = gatherEvidence({
      model: this.#model,
      scores: this.#scores,
      sharesOf: (intent) => vector.sharesOf(read, intent, this.#model),
      tokenCount: read.facts.length,
      repaired: read.repaired,
    });
    const { coverageNeeded } = this.#model.calibration;
    return { ...gathered, coverage: coverageNeeded === 0 ? 1 : coverageOf(read.facts) };
  }

  #read(text: string): ReadText {
    const { text: read } = workspace();
    read.read(text, this.#model, (this.#words ??= this.#wordFacts()));
    return read;
  }

  #wordFacts(): WordFactsOf {
    const { calibration, vocabulary, lexicon } = this.#model;
    const coverage = calibration.coverageNeeded === 0 ? undefined : new Coverage(vocabulary.index, lexicon);
    return new WordFactsOf(this.#model, coverage);
  }
}

/** The only word of a text, not counting signs; undefined if there are several or none. */
function onlyWordOf({ written, facts }: ReadText): WordFacts | undefined {
  let only: WordFacts | undefined;
  for (let t = 0; t < facts.length; t++) {
    if (!written[t]!.isWord) continue;
    if (only !== undefined) return undefined;
    only = facts[t]!;
  }
  return only;
}
