import { type Judgement, judgeUtterances } from "./evaluate.ts";
import type { IntentExamples } from "./examples.ts";
import { openIntentModel } from "./intent-model.ts";
import { seededRandom, shuffle } from "./random.ts";
import { trainIntentModel } from "./train.ts";

export interface CrossValidationOptions {
  /** Default: as many as take a few seconds, two to five. */
  folds?: number;
  seed?: number;
  /** Called with the share that is done, 0–1. */
  report?: (done: number) => void;
}

/**
 * What models that have not seen an example say about it: each example is judged once, by a model of the other folds. An intent's only
 * example is never held out, so that every model knows every intent by an example.
 */
export function crossValidate(
  intents: readonly IntentExamples[],
  options: CrossValidationOptions = {},
): Judgement[] {
  const exampleCount = intents.reduce((sum, { examples }) => sum + (examples?.length ?? 0), 0);
  const { folds = foldsFor(exampleCount), seed = 1, report = () => undefined } = options;
  const foldOf = assignFolds(intents, folds, seed);
  const judgements: Judgement[] = [];
  for (let fold = 0; fold < folds; fold++) {
    const isHeldOut = (intent: number, example: number) => foldOf[intent]![example] === fold;
    judgements.push(...judgeFold(intents, isHeldOut, seed));
    report((fold + 1) / folds);
  }
  return judgements;
}

function foldsFor(exampleCount: number): number {
  if (exampleCount < 1000) return 5;
  return exampleCount < 4000 ? 3 : 2;
}

const NEVER = -1;

function assignFolds(intents: readonly IntentExamples[], folds: number, seed: number): Int32Array[] {
  const random = seededRandom(seed);
  let next = 0;
  return intents.map(({ examples = [] }) => {
    const order = Int32Array.from(examples.keys());
    shuffle(order, random);
    const fold = new Int32Array(examples.length).fill(NEVER);
    if (examples.length > 1) for (const example of order) fold[example] = next++ % folds;
    return fold;
  });
}

function judgeFold(
  intents: readonly IntentExamples[],
  isHeldOut: (intent: number, example: number) => boolean,
  seed: number,
): Judgement[] {
  const heldOut = intents.flatMap(({ name, examples = [] }, i) =>
    examples.filter((_, e) => isHeldOut(i, e)).map((text) => ({ text, intent: name })),
  );
  if (heldOut.length === 0) return [];
  const known = intents.map((intent, i) => ({
    ...intent,
    examples: (intent.examples ?? []).filter((_, e) => !isHeldOut(i, e)),
  }));
  return judgeUtterances(openIntentModel(trainIntentModel(known, { seed }).model), heldOut);
}
