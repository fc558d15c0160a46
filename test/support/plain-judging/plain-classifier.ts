import type { Classification, Classifier, TextScan } from "../../../src/domain/decision.ts";
import type { IntentName } from "../../../src/domain/ids.ts";
import { type Chances, estimateChances } from "../../../src/intent/calibration/calibration.ts";
import { FeatureBuffer } from "../../../src/intent/features/features.ts";
import { SparseVector } from "../../../src/intent/features/sparse-vector.ts";
import { hashExample } from "../../../src/intent/model/example-index.ts";
import { type IntentModel, occursIn } from "../../../src/intent/model/intent-model.ts";
import { Coverage, coverageOf } from "../../../src/intent/scoring/coverage.ts";
import { type Evidence, gatherEvidence } from "../../../src/intent/scoring/evidence.ts";
import { rankIntents, shareChances } from "../../../src/intent/scoring/rank-intents.ts";
import { REAL_WORDS } from "../../../src/intent/words/real-words.ts";
import { repairWords } from "../../../src/intent/words/spelling.ts";
import { isFunctionWord } from "../../../src/text/function-words.ts";
import { normaliseText } from "../../../src/text/normalise.ts";
import { isWord, TokenBuffer } from "../../../src/text/tokenise.ts";
import { hashWord } from "../../../src/text/word-hash.ts";
import { featureShares } from "./feature-shares.ts";
import { placesOf, scanTokens } from "./scan.ts";
import { scoreVector } from "./score-vector.ts";

const NO_CHANCES: Chances = { inScope: 0, confidence: 0 };

/** Buffer for one text at a time, shared by all classifiers of a thread; nothing in it is kept. */
interface Workspace {
  tokens: TokenBuffer;
  features: FeatureBuffer;
  vector: SparseVector;
}

let sharedWorkspace: Workspace | undefined;

function workspace(): Workspace {
  sharedWorkspace ??= {
    tokens: new TokenBuffer(),
    features: new FeatureBuffer(),
    vector: new SparseVector(),
  };
  return sharedWorkspace;
}

/** Classifies texts like `ModelClassifier`, feature by feature, without caches. */
export class PlainClassifier implements Classifier {
  readonly intents: readonly IntentName[];
  readonly matchThreshold: number;
  readonly #model: IntentModel;
  readonly #scores: Float64Array;
  #coverage: Coverage | undefined;

  constructor(model: IntentModel) {
    this.intents = model.intents;
    this.matchThreshold = model.calibration.matchThreshold;
    this.#model = model;
    this.#scores = new Float64Array(model.intents.length);
  }

  classify(text: string): Classification {
    const { evidence, chances } = this.#judge(text);
    if (evidence === undefined)
      return { scores: [], confidences: new Float32Array(this.intents.length), ...chances };
    const { probabilities, best } = evidence;
    const confidences = shareChances(probabilities, best, chances);
    return { scores: rankIntents(confidences, this.intents, best), confidences, ...chances };
  }

  /** Evidence and probabilities of a text; no evidence if it has nothing in common with the examples. */
  #judge(text: string): { evidence: Evidence | undefined; chances: Chances } {
    const evidence = this.#weighEvidence(text);
    if (evidence === undefined) return { evidence, chances: NO_CHANCES };
    const { signals, coverage } = evidence;
    return { evidence, chances: estimateChances(signals, coverage, this.#model.calibration) };
  }

  knows(word: string): boolean {
    const { tokens } = workspace();
    tokens.read(normaliseText(word));
    if (tokens.count !== 1) return false;
    const hash = hashWord(tokens.codeUnits, tokens.starts[0]!, tokens.ends[0]!);
    return this.#model.vocabulary.index.find(hash) >= 0;
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
    const tokens = new TokenBuffer();
    tokens.read(normaliseText(text));
    return this.#model.examples.includes(hashExample(tokens));
  }

  intentsSharing(text: string): readonly IntentName[] {
    const { tokens } = workspace();
    tokens.read(normaliseText(text));
    const words = wordsAmong(tokens);
    if (words.length !== 1) return [];
    this.#repair(tokens);
    const [word] = words;
    const row = this.#model.vocabulary.index.find(
      hashWord(tokens.codeUnits, tokens.starts[word!]!, tokens.ends[word!]!),
    );
    return row < 0 ? [] : this.#intentsHaving(row);
  }

  /** Intents by the contribution of a row's word to their scores. */
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
    const { tokens, features } = workspace();
    const normalised = normaliseText(text);
    tokens.read(normalised);
    const places = placesOf(normalised, tokens);
    this.#repair(tokens);
    features.read(tokens);
    return scanTokens(places, tokens, features, this.#model);
  }

  /** The evidence of a text; undefined if it has nothing in common with the examples. */
  #weighEvidence(text: string): Evidence | undefined {
    const { tokens, features, vector } = workspace();
    const { vocabulary, intents } = this.#model;
    tokens.read(normaliseText(text));
    if (tokens.count === 0 || intents.length === 0) return undefined;
    const repaired = this.#repair(tokens);
    features.read(tokens);
    vector.count(features, vocabulary.index);
    if (vector.length === 0) return undefined;
    vector.weigh(vocabulary.idf);
    scoreVector(vector, this.#model, this.#scores);
    const gathered = gatherEvidence({
      model: this.#model,
      scores: this.#scores,
      sharesOf: (intent) => featureShares(this.#model, vector, intent),
      tokenCount: tokens.count,
      repaired,
    });
    return { ...gathered, coverage: this.#coverageOf(tokens) };
  }

  /** Repairs misspelt words; see `repairWords`. */
  #repair(tokens: TokenBuffer): number {
    const { lexicon, vocabulary } = this.#model;
    return repairWords(lexicon, tokens, vocabulary.index);
  }

  #coverageOf(tokens: TokenBuffer): number {
    const { calibration, vocabulary, lexicon } = this.#model;
    if (calibration.coverageNeeded === 0) return 1;
    this.#coverage ??= new Coverage(vocabulary.index, lexicon);
    const coverage = this.#coverage;
    return coverageOf(Array.from({ length: tokens.count }, (_, token) => coverage.ofToken(tokens, token)));
  }
}

/** The positions of words among the tokens; the rest are signs. */
function wordsAmong(tokens: TokenBuffer): number[] {
  return Array.from({ length: tokens.count }, (_, place) => place).filter((place) =>
    isWord(tokens.codeUnits, tokens.starts[place]!, tokens.ends[place]!),
  );
}
