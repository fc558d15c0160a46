import {
  classifySentence,
  isUnsure,
  openIntentModel,
  openSentenceModel,
} from "../../../src/intent/classifier.ts";
import type { IntentExamples } from "../../../src/intent/training/examples.ts";
import { seededRandom } from "../../../src/intent/training/random.ts";
import {
  evaluatePredictions,
  type Prediction,
  type LabelledUtterance,
  measureSpeed,
} from "../../../src/operate/evaluate.ts";
import { trainHere, vectorOf } from "../../support/encode-here.ts";
import { predictIntents } from "../../support/predict-intents.ts";
import { type DataSet, trainingIntents, utterancesOf, withTypingErrors } from "./data-sets.ts";

/** A line of the table: the goal and the figure. */
export interface Figure {
  name: string;
  goal: string;
  measured: string;
  isMet: boolean | undefined;
}

export function atLeast(name: string, goal: number, measured: number): Figure {
  return { name, goal: `≥ ${goal.toFixed(3)}`, measured: measured.toFixed(3), isMet: measured >= goal };
}

export function atMost(name: string, goal: number, measured: number, unit = "", digits = 0): Figure {
  return {
    name,
    goal: `≤ ${goal.toFixed(digits)}${unit}`,
    measured: `${measured.toFixed(digits)}${unit}`,
    isMet: measured <= goal,
  };
}

function forInformation(name: string, measured: string): Figure {
  return { name, goal: "–", measured, isMet: undefined };
}

/** Trains on the training split and measures the time. `classifier` encodes messages of which `plain` is unsure, as a server does. */
function trainTimed(intents: readonly IntentExamples[]) {
  const start = performance.now();
  const { model, sentences } = trainHere(intents);
  const trainMs = performance.now() - start;
  const bytes = model.length + (sentences?.length ?? 0);
  const plain = openIntentModel(model);
  const ridge = sentences && openSentenceModel(sentences);
  const { intents: names, matchThreshold } = plain;
  const classify = (text: string) => {
    const alone = plain.classify(text);
    const vector = ridge && isUnsure(alone) ? vectorOf(text) : undefined;
    return ridge && vector ? classifySentence(plain, plain.judge(text), vector, ridge) : alone;
  };
  return { plain, classifier: { intents: names, matchThreshold, classify }, trainMs, bytes };
}

/** Accuracy of the best intent on the test split. */
export function testAccuracy(data: DataSet, examplesPerIntent = Infinity): number {
  const { classifier } = trainTimed(trainingIntents(data, { most: examplesPerIntent }));
  return evaluatePredictions(predictIntents(classifier, utterancesOf(data, "test"))).inScopeAccuracy!;
}

export function measureClinc(data: DataSet): Figure[] {
  const { plain, classifier, trainMs, bytes } = trainTimed(trainingIntents(data));
  const valid = predictIntents(classifier, utterancesOf(data, "valid"));
  const testSet = utterancesOf(data, "test");
  const predictions = predictIntents(classifier, testSet);
  const evaluation = evaluatePredictions(predictions);
  const kept = rejectBelow(predictions, ({ inScope }) => inScope, thresholdKeeping(valid, 0.95));
  const paper = rejectBelow(predictions, ({ inScope }) => inScope, thresholdOfBestAccuracy(valid));
  const random = seededRandom(20);
  const mistyped = testSet.map(({ text, intent }) => ({ text: withTypingErrors(text, random), intent }));
  const loss =
    evaluation.inScopeAccuracy! - evaluatePredictions(predictIntents(classifier, mistyped)).inScopeAccuracy!;
  return [
    atLeast("CLINC150 in scope, no rejection", 0.94, evaluation.inScopeAccuracy!),
    atLeast("CLINC150 out of scope: AUROC", 0.97, evaluation.outOfScopeAuroc!),
    atLeast("  recall where 95 % of validation is kept", 0.88, kept.outOfScopeRecall!),
    forInformation("  in scope accepted there", kept.inScopeAccepted!.toFixed(3)),
    atLeast("  protocol of the paper: in scope", 0.93, paper.inScopeAccepted!),
    atLeast("  protocol of the paper: recall", 0.6, paper.outOfScopeRecall!),
    forInformation("  at the bot's own threshold: in scope accepted", evaluation.inScopeAccepted!.toFixed(3)),
    forInformation("  at the bot's own threshold: recall", evaluation.outOfScopeRecall!.toFixed(3)),
    atMost("CLINC150 with typing errors: loss in points", 1.5, 100 * loss, "", 1),
    atMost("CLINC150 calibration error of confidence", 0.05, evaluation.expectedCalibrationError!, "", 3),
    atMost("CLINC150 time per message", 30, speedOf(plain, testSet), " µs"),
    atMost("CLINC150 training", 4000, trainMs, " ms"),
    atMost("CLINC150 model", 12, bytes / 1e6, " MB", 1),
  ];
}

/** Ordinary bots: five different ones of 20 intents with their first 20 examples, because a text is encoded only once. */
export function measureSmallBot(data: DataSet): Figure[] {
  const intents = trainingIntents(data, { most: 20 });
  const runs = Array.from({ length: 5 }, (_, i) => trainTimed(intents.slice(20 * i, 20 * (i + 1))));
  return [
    atMost("20 × 20: time per message", 15, speedOf(runs[0]!.plain, utterancesOf(data, "test")), " µs"),
    atMost("20 × 20: training", 300, median(runs.map(({ trainMs }) => trainMs)), " ms"),
    atMost("20 × 20: model", 1, runs[0]!.bytes / 1e6, " MB", 2),
  ];
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

/** Mean microseconds of a message; the second pass counts, because the code is compiled by then. */
function speedOf(
  classifier: ReturnType<typeof openIntentModel>,
  utterances: readonly LabelledUtterance[],
): number {
  const texts = utterances.map(({ text }) => text);
  measureSpeed(classifier, texts, () => performance.now());
  return measureSpeed(classifier, texts, () => performance.now());
}

function rejectBelow(
  predictions: readonly Prediction[],
  score: (prediction: Prediction) => number,
  threshold: number,
) {
  return evaluatePredictions(
    predictions.map((prediction) => ({ ...prediction, isAccepted: score(prediction) >= threshold })),
  );
}

function thresholdKeeping(valid: readonly Prediction[], share: number): number {
  const chances = valid.filter(({ expected }) => expected !== null).map(({ inScope }) => inScope);
  return chances.toSorted((a, b) => a - b)[Math.floor(chances.length * (1 - share))]!;
}

/** Larson et al. 2019: the threshold at which most validation utterances, in scope or not, get the right answer. */
function thresholdOfBestAccuracy(valid: readonly Prediction[]): number {
  let best = { threshold: 0, right: -1 };
  for (const threshold of valid.map(({ inScope }) => inScope)) {
    const right = valid.filter(
      ({ expected, got, inScope }) => (inScope >= threshold ? got : null) === expected,
    ).length;
    if (right > best.right) best = { threshold, right };
  }
  return best.threshold;
}
