import { trainLowRank } from "./low-rank.ts";
import { seededRandom } from "./random.ts";
import { trainSvm } from "./svm.ts";
import type { LinearModel, Report, TrainingSet } from "./training-set.ts";
import { sizeOf } from "./training-size.ts";

/** Passes over all examples. By then the SVM hardly changes where examples are few; where they are many, more would cost seconds. */
const SVM_EPOCHS = { few: 15, many: 8 };
/**
 * Of the low-rank model: dimensions between features and intents, and passes over all examples. Chosen by hand on validation lines.
 */
const LOW_RANK = {
  few: { dimensions: 192, epochs: 15 },
  many: { dimensions: 128, epochs: 6 },
};
/**
 * Factor of the SVM's weights, beside the low-rank model, which weighs 1: 1 for so many examples per intent, within these bounds. The
 * low-rank model knows better where examples are few, the SVM where they are many. Chosen by hand on validation lines, at 5 to 100
 * examples an intent.
 */
const SVM_SHARE = { examplesPerIntent: 12, least: 1, most: 4 };

/** Share of the time that the SVM takes. Measured by CPU time: 0.67 to 0.83 at 2,000 intents of 3 examples and 200 of 50. */
const SVM_TIME = 0.8;

/** The weights of a model: an SVM's, and those of a low-rank model, added up. */
export function fitLinear(set: TrainingSet, seed: number, report: Report): LinearModel {
  const size = sizeOf(set.labels.length);
  const blend = trainSvm(set, SVM_EPOCHS[size], seededRandom(seed), (done) => report(done * SVM_TIME));
  scale(blend, svmShare(set.labels.length / Math.max(1, set.classCount)));
  const lowRank = trainLowRank(set, LOW_RANK[size], seededRandom(seed + 1), (done) =>
    report(SVM_TIME + (1 - SVM_TIME) * done),
  );
  add(blend, lowRank);
  return blend;
}

function svmShare(examplesPerIntent: number): number {
  const { least, most } = SVM_SHARE;
  return Math.min(most, Math.max(least, examplesPerIntent / SVM_SHARE.examplesPerIntent));
}

/** In place, as the weights of a large bot are 40 MB and more. */
function scale({ weights: { cells }, bias }: LinearModel, factor: number): void {
  for (let i = 0; i < cells.length; i++) cells[i]! *= factor;
  for (let k = 0; k < bias.length; k++) bias[k]! *= factor;
}

/** Adds another model to the first. */
function add({ weights: { cells }, bias }: LinearModel, other: LinearModel): void {
  for (let i = 0; i < cells.length; i++) cells[i]! += other.weights.cells[i]!;
  for (let k = 0; k < bias.length; k++) bias[k]! += other.bias[k]!;
}
