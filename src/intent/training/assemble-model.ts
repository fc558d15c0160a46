import type { IntentName } from "../../domain/ids.ts";
import { normaliseText } from "../../text/normalise.ts";
import { TokenBuffer } from "../../text/tokenise.ts";
import { calibrationFor } from "../calibration/calibration-for.ts";
import { indexExamples } from "../model/example-index.ts";
import type { IntentModel } from "../model/intent-model.ts";
import { markOccurrence } from "../model/occurrence.ts";
import { quantiseRows } from "../model/quantise.ts";
import { buildLexicon } from "../words/lexicon.ts";
import type { PreparedTexts } from "./prepare-texts.ts";
import type { LinearModel, TrainingSet } from "./training-set.ts";

/** Examples whose scores are averaged, spread evenly: the mean hardly changes with more. */
const MOST_MEASURED = 1000;

/** Puts together a model from a bot's examples and the linear model that was fitted to them. */
export function assembleModel(
  intents: readonly IntentName[],
  { texts, vocabulary, set }: PreparedTexts,
  linear: LinearModel,
): IntentModel {
  return {
    intents,
    vocabulary,
    lexicon: buildLexicon(documentFrequencies(texts)),
    weights: quantiseRows(linear.weights, Math.max(1, set.classCount)),
    bias: linear.bias,
    occurrence: markOccurrence(set),
    examples: indexExamples(texts),
    typicalScore: typicalScore(set, linear),
    calibration: calibrationFor(set.classCount, texts.length),
  };
}

/** How many of the texts hold each word. */
function documentFrequencies(texts: readonly string[]): Map<string, number> {
  const frequencies = new Map<string, number>();
  const tokens = new TokenBuffer();
  for (const text of texts) {
    const normalised = normaliseText(text);
    tokens.read(normalised);
    const words = new Set<string>();
    for (let t = 0; t < tokens.count; t++) words.add(normalised.slice(tokens.starts[t], tokens.ends[t]));
    for (const word of words) frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
  }
  return frequencies;
}

/** Mean score of the right intent over some of the examples; 1 where there is none, or it is not above 0. */
function typicalScore({ vectors, labels }: TrainingSet, { weights, bias }: LinearModel): number {
  const step = Math.max(1, Math.floor(labels.length / MOST_MEASURED));
  let sum = 0;
  let count = 0;
  for (let example = 0; example < labels.length; example += step) {
    const label = labels[example]!;
    sum += bias[label]!;
    for (let i = vectors.offsets[example]!; i < vectors.offsets[example + 1]!; i++) {
      sum += vectors.values[i]! * weights.cells[vectors.rows[i]! * weights.columns + label]!;
    }
    count++;
  }
  return count > 0 && sum > 0 ? sum / count : 1;
}
