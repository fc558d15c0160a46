import { GROUP_COUNT, WORD_GROUP } from "../../../src/intent/features/features.ts";
import type { SparseVector } from "../../../src/intent/features/sparse-vector.ts";
import { type IntentModel, occursIn } from "../../../src/intent/model/intent-model.ts";
import type { FeatureShares } from "../../../src/intent/scoring/evidence.ts";

/** Shares of a text's words and features; see `SIGNALS`. Words are weighted by idf; unknown words have the weight of the rarest. */
export function featureShares(model: IntentModel, vector: SparseVector, best: number): FeatureShares {
  const { idf } = model.vocabulary;
  const wordEnd = vector.groupEnds[WORD_GROUP]!;
  const rarest = idf.at(-1) ?? 1;
  let known = 0;
  let knownOfBest = 0;
  let weightOfBest = 0;
  let weightAgainstBest = 0;
  for (let i = 0; i < vector.groupEnds[GROUP_COUNT - 1]!; i++) {
    const row = vector.rows[i]!;
    const isOfBest = occursIn(model.occurrence, row, best, model.intents.length);
    const isAgainstBest = model.weights.cells[row * model.intents.length + best]! < 0;
    const weight = vector.values[i]! ** 2;
    if (isOfBest) weightOfBest += weight;
    if (isAgainstBest) weightAgainstBest += weight;
    if (i >= wordEnd) continue;
    known += idf[row]!;
    if (isOfBest) knownOfBest += idf[row]!;
  }
  const all = known + vector.unknownWords * rarest;
  return { knownWords: known / all, wordsOfBest: knownOfBest / all, weightOfBest, weightAgainstBest };
}
