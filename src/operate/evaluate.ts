import type { Classifier } from "../domain/decision.ts";

/** A text with its expected intent; null: out of scope. */
export interface LabelledUtterance {
  text: string;
  intent: string | null;
}

/** The classifier's result for an utterance, with the expected one. */
export interface Prediction {
  text: string;
  expected: string | null;
  /** The best intent, accepted or not; null if nothing matched. */
  got: string | null;
  inScope: number;
  confidence: number;
  isAccepted: boolean;
}

export interface Confusion {
  /** null: out of scope. */
  expected: string | null;
  /** null: rejected. */
  got: string | null;
  count: number;
  /** At most five texts. */
  examples: readonly string[];
}

export interface IntentMeasure {
  intent: string;
  total: number;
  /** Share of the intent's utterances with the right best intent, ignoring rejection. */
  recall: number;
  /** Share of the intent's own utterances among those accepted for it; null if there are none. */
  precision: number | null;
  /** Share of the intent's utterances with the right best intent that were accepted. */
  accepted: number;
}

/** Rates are 0–1, null if there is nothing to measure. */
export interface IntentEvaluation {
  total: number;
  /** Share with the right best intent, ignoring rejection. */
  inScopeAccuracy: number | null;
  /** Share with the right best intent that was accepted. */
  inScopeAccepted: number | null;
  /** Recall of rejection: share of out-of-scope utterances rejected. */
  outOfScopeRecall: number | null;
  /** Precision of rejection: share of rejected utterances that are out of scope. */
  outOfScopePrecision: number | null;
  /** AUROC: probability that an utterance in scope has a higher `inScope` than one out of scope. */
  outOfScopeAuroc: number | null;
  /** Of `confidence`, with ten bins of equal width. */
  expectedCalibrationError: number | null;
  /** Most frequent first. */
  confusions: readonly Confusion[];
  perIntent: readonly IntentMeasure[];
}

/** Texts kept per confusion. */
const MAX_EXAMPLES = 5;
/** Bins of the calibration error; ten are usual (Guo et al. 2017). */
const BINS = 10;

/** The classifier's figures of `parley eval`. */
export function evaluatePredictions(predictions: readonly Prediction[]): IntentEvaluation {
  const answerable = predictions.filter(({ expected }) => expected !== null);
  const outOfScope = predictions.filter(({ expected }) => expected === null);
  const rejected = predictions.filter(({ isAccepted }) => !isAccepted);
  return {
    total: predictions.length,
    inScopeAccuracy: shareOf(answerable, isRight),
    inScopeAccepted: shareOf(answerable, (prediction) => isRight(prediction) && prediction.isAccepted),
    outOfScopeRecall: shareOf(outOfScope, ({ isAccepted }) => !isAccepted),
    outOfScopePrecision: shareOf(rejected, ({ expected }) => expected === null),
    outOfScopeAuroc: areaUnderCurve(
      answerable.map(({ inScope }) => inScope),
      outOfScope.map(({ inScope }) => inScope),
    ),
    expectedCalibrationError: calibrationError(predictions),
    confusions: countConfusions(predictions),
    perIntent: measureIntents(predictions),
  };
}

/** Mean time of one classification in microseconds, by a clock in milliseconds. */
export function measureSpeed(classifier: Classifier, texts: readonly string[], nowMs: () => number): number {
  const start = nowMs();
  for (const text of texts) classifier.classify(text);
  return texts.length === 0 ? 0 : ((nowMs() - start) * 1000) / texts.length;
}

function isRight({ expected, got }: Prediction): boolean {
  return expected !== null && expected === got;
}

/** Share (0–1) of the items that hold; null if there are none. */
export function shareOf<T>(items: readonly T[], holds: (item: T) => boolean): number | null {
  return items.length === 0 ? null : items.filter(holds).length / items.length;
}

/** Probability that a positive ranks above a negative (Mann–Whitney U); ties count half. Null without a pair. */
export function areaUnderCurve(positives: readonly number[], negatives: readonly number[]): number | null {
  if (positives.length === 0 || negatives.length === 0) return null;
  const all = [
    ...positives.map((value) => ({ value, positive: true })),
    ...negatives.map((value) => ({ value, positive: false })),
  ];
  all.sort((a, b) => a.value - b.value);
  let ranks = 0;
  for (let from = 0; from < all.length;) {
    let to = from;
    while (to < all.length && all[to]!.value === all[from]!.value) to++;
    const meanRank = (from + 1 + to) / 2;
    for (let i = from; i < to; i++) if (all[i]!.positive) ranks += meanRank;
    from = to;
  }
  const n = positives.length;
  return (ranks - (n * (n + 1)) / 2) / (n * negatives.length);
}

function calibrationError(predictions: readonly Prediction[]): number | null {
  if (predictions.length === 0) return null;
  const gaps = new Float64Array(BINS);
  for (const prediction of predictions) {
    const bin = Math.min(BINS - 1, Math.floor(prediction.confidence * BINS));
    gaps[bin]! += prediction.confidence - (isRight(prediction) ? 1 : 0);
  }
  return gaps.reduce((sum, gap) => sum + Math.abs(gap), 0) / predictions.length;
}

function countConfusions(predictions: readonly Prediction[]): Confusion[] {
  const byPair = new Map<
    string,
    { expected: string | null; got: string | null; count: number; examples: string[] }
  >();
  for (const { text, expected, got, isAccepted } of predictions) {
    const answer = isAccepted ? got : null;
    if (answer === expected) continue;
    const key = JSON.stringify([expected, answer]);
    const confusion = byPair.get(key) ?? { expected, got: answer, count: 0, examples: [] };
    confusion.count++;
    if (confusion.examples.length < MAX_EXAMPLES) confusion.examples.push(text);
    byPair.set(key, confusion);
  }
  return [...byPair.values()].toSorted((a, b) => b.count - a.count);
}

function measureIntents(predictions: readonly Prediction[]): IntentMeasure[] {
  const own = Map.groupBy(predictions, ({ expected }) => expected);
  const given = Map.groupBy(
    predictions.filter(({ isAccepted }) => isAccepted),
    ({ got }) => got,
  );
  return [...own].flatMap(([intent, mine]) =>
    intent === null
      ? []
      : [
          {
            intent,
            total: mine.length,
            recall: shareOf(mine, isRight)!,
            precision: shareOf(given.get(intent) ?? [], isRight),
            accepted: shareOf(mine, (prediction) => isRight(prediction) && prediction.isAccepted)!,
          },
        ],
  );
}
