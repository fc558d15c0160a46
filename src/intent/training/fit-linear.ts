import { trainLowRank } from "./low-rank.ts";
import { seededRandom } from "./random.ts";
import { trainSvm } from "./svm.ts";
import type { LinearModel, TrainingSet } from "./training-set.ts";
import { sizeOf } from "./training-size.ts";

/** Called now and then with the share of the work that is done, 0–1. */
export type Report = (done: number) => void;

/** Passes over all examples. By then the SVM hardly changes where examples are few; where they are many, more would cost seconds. */
const SVM_EPOCHS = { few: 15, many: 8 };
/**
 * Of the low-rank model: dimensions between features and intents, passes over all examples, and how many models are averaged. Chosen
 * by hand on validation lines. Where examples are few, chance weighs more: three models gain half a point at 5 and at 10 examples an
 * intent (BANKING77, CLINC150).
 */
const LOW_RANK = {
  few: { dimensions: 192, epochs: 15, models: 3 },
  many: { dimensions: 128, epochs: 6, models: 1 },
};
/**
 * Factor of the SVM's weights, beside low-rank models that weigh 1 together: 1 for so many examples per intent, within these bounds. The
 * low-rank model knows better where examples are few, the SVM where they are many. Chosen by hand on validation lines, at 5 to 100
 * examples an intent.
 */
const SVM_SHARE = { examplesPerIntent: 12, least: 1, most: 4 };

/** Share of the time that the SVM takes. Measured by CPU time: 0.67 to 0.83 at 2,000 intents of 3 examples and 200 of 50, 0.6 at 500 of 3. */
const SVM_TIME = { few: 0.6, many: 0.75 };

/** The weights of a model: an SVM's, and those of low-rank models, added up. */
export function fitLinear(set: TrainingSet, seed: number, report: Report): LinearModel {
  const size = sizeOf(set.labels.length);
  const svmTime = SVM_TIME[size];
  const blend = trainSvm(set, SVM_EPOCHS[size], seededRandom(seed), (done) => report(done * svmTime));
  scale(blend, svmShare(set.labels.length / Math.max(1, set.classCount)));
  const { models, ...options } = LOW_RANK[size];
  const random = seededRandom(seed + 1);
  for (let model = 0; model < models; model++) {
    const lowRank = trainLowRank(set, options, random, (done) =>
      report(svmTime + (1 - svmTime) * ((model + done) / models)),
    );
    add(blend, lowRank, 1 / models);
  }
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

/** Adds a share of another model to `target`. */
function add({ weights: { cells }, bias }: LinearModel, other: LinearModel, share: number): void {
  for (let i = 0; i < cells.length; i++) cells[i]! += share * other.weights.cells[i]!;
  for (let k = 0; k < bias.length; k++) bias[k]! += share * other.bias[k]!;
}
