import type { Classification, Classifier, IntentScore, TextScan } from "../../domain/decision.ts";
import type { IntentName } from "../../domain/ids.ts";
import { normaliseText } from "../../text/normalise.ts";
import { TokenBuffer } from "../../text/tokenise.ts";
import { type Evidence, estimateChances, gatherEvidence } from "../calibration/reject.ts";
import { FeatureBuffer, hashWord } from "../features/features.ts";
import { SparseVector } from "../features/vectorise.ts";
import type { IntentModel } from "../model/intent-model.ts";
import { Coverage, trustIn } from "../words/coverage.ts";
import { repairWords } from "../words/spelling.ts";
import { WordSimilarity, type SimilarityToExamples } from "../words/word-similarity.ts";
import { isIndexed } from "./example-index.ts";
import { scanTokens, unitsOf } from "./scan.ts";

const MOST_SCORES = 5;
const NO_SIMILARITY: SimilarityToExamples = { toKnown: 0, toIntent: 0, weakest: 0 };

/** Scratch memory for one classification at a time; shared by all models of a thread. */
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

/** Classifies with a trained model. */
export class ModelClassifier implements Classifier {
  readonly intents: readonly IntentName[];
  readonly matchThreshold: number;
  readonly #model: IntentModel;
  readonly #scores: Float64Array;
  #coverage: Coverage | undefined;
  #similarity: WordSimilarity | undefined;

  constructor(model: IntentModel) {
    this.intents = model.intents;
    this.matchThreshold = model.calibration.matchThreshold;
    this.#model = model;
    this.#scores = new Float64Array(model.intents.length);
  }

  classify(text: string): Classification {
    const evidence = this.weighEvidence(text);
    if (evidence === undefined)
      return { scores: [], confidences: new Float32Array(this.intents.length), inScope: 0, confidence: 0 };
    const trust = this.#trust();
    const chances = estimateChances(evidence, this.#model.calibration);
    const [inScope, confidence] = [chances.inScope * trust, chances.confidence * trust];
    const confidences = shareChances(evidence, inScope, confidence);
    return { scores: this.#best(confidences, evidence.best), confidences, inScope, confidence };
  }

  /** Of the text that was weighed last. */
  #trust(): number {
    const { calibration, vocabulary, lexicon } = this.#model;
    if (calibration.coverageNeeded === 0) return 1;
    this.#coverage ??= new Coverage(vocabulary.index, lexicon, this.#similarity);
    return trustIn(this.#coverage.of(workspace().tokens), calibration.coverageNeeded);
  }

  knows(word: string): boolean {
    const { tokens } = workspace();
    tokens.read(normaliseText(word));
    if (tokens.count !== 1) return false;
    return this.#model.vocabulary.index.find(hashWord(tokens.units, tokens.starts[0]!, tokens.ends[0]!)) >= 0;
  }

  isExample(text: string): boolean {
    return isIndexed(this.#model.examples, text);
  }

  scan(text: string): TextScan {
    const { tokens, features } = workspace();
    const normalised = normaliseText(text);
    tokens.read(normalised);
    const units = unitsOf(normalised, tokens);
    const { lexicon, vocabulary, knowledge } = this.#model;
    repairWords(lexicon, tokens, vocabulary.index, knowledge.meanings);
    features.read(tokens);
    return scanTokens(units, tokens, features, this.#model);
  }

  /** What the chances are estimated from; absent when the text shares nothing with the examples. */
  weighEvidence(text: string): Evidence | undefined {
    const { tokens, features, vector } = workspace();
    const { vocabulary, knowledge, intents } = this.#model;
    tokens.read(normaliseText(text));
    if (tokens.count === 0 || intents.length === 0) return undefined;
    const repaired = repairWords(this.#model.lexicon, tokens, vocabulary.index, knowledge.meanings);
    features.read(tokens);
    vector.count(features, vocabulary.index);
    if (vector.length === 0) return undefined;
    if (knowledge.isWeighed) vector.addMeaning(features, knowledge.meanings);
    vector.weigh(vocabulary.idf);
    scoreVector(vector, this.#model, this.#scores);
    return gatherEvidence({
      model: this.#model,
      scores: this.#scores,
      vector,
      tokenCount: tokens.count,
      repaired,
      similarityTo: (intent) => this.#similarityTo(intent, features),
    });
  }

  #similarityTo(intent: number, features: FeatureBuffer): SimilarityToExamples {
    const { meanings } = this.#model.knowledge;
    if (!meanings) return NO_SIMILARITY;
    this.#similarity ??= new WordSimilarity(meanings, this.#model);
    return this.#similarity.of(features, intent);
  }

  #best(confidences: Float32Array, best: number): IntentScore[] {
    const top: number[] = [best];
    for (let k = 0; k < confidences.length; k++) {
      if (k === best || confidences[k] === 0) continue;
      if (top.length === MOST_SCORES && confidences[k]! <= confidences[top.at(-1)!]!) continue;
      let at = top.length;
      while (at > 1 && confidences[k]! > confidences[top[at - 1]!]!) at--;
      top.splice(at, 0, k);
      if (top.length > MOST_SCORES) top.pop();
    }
    return top.map((k) => ({ intent: this.intents[k]!, confidence: confidences[k]! }));
  }
}

/** scores = bias + Wᵀ · vector, from 8-bit rows. */
export function scoreVector(
  vector: SparseVector,
  { weights, bias }: Pick<IntentModel, "weights" | "bias">,
  scores: Float64Array,
): void {
  const { cells, scales } = weights;
  const { rows, values } = vector;
  const count = scores.length;
  scores.set(bias);
  let i = 0;
  // Two rows at a time: scores are read and written half as often.
  for (; i + 1 < vector.length; i += 2) {
    const one = values[i]! * scales[rows[i]!]!;
    const other = values[i + 1]! * scales[rows[i + 1]!]!;
    const fromOne = rows[i]! * count;
    const fromOther = rows[i + 1]! * count;
    for (let k = 0; k < count; k++) scores[k]! += one * cells[fromOne + k]! + other * cells[fromOther + k]!;
  }
  if (i === vector.length) return;
  const last = values[i]! * scales[rows[i]!]!;
  const from = rows[i]! * count;
  for (let k = 0; k < count; k++) scores[k]! += last * cells[from + k]!;
}

/** The best intent gets `confidence`; the others share what is left of `inScope` by their probabilities, none more than the best. */
function shareChances({ probabilities, best }: Evidence, inScope: number, confidence: number): Float32Array {
  const confidences = new Float32Array(probabilities.length);
  const others = 1 - probabilities[best]!;
  const factor = others > 0 ? (inScope - confidence) / others : 0;
  for (let k = 0; k < confidences.length; k++) {
    confidences[k] = k === best ? confidence : Math.min(confidence, factor * probabilities[k]!);
  }
  return confidences;
}
