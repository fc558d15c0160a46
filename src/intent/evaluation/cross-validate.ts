import type { IntentExamples } from "../training/examples.ts";
import { seededRandom, shuffle } from "../training/random.ts";
import type { LabelledUtterance } from "./evaluate.ts";

/** What one model of a cross-validation learns from, and what it is asked. */
export interface Fold {
  known: IntentExamples[];
  heldOut: LabelledUtterance[];
}

export interface FoldPlan {
  /** Equal parts that the examples are dealt into. */
  parts: number;
  /** How many of the parts are held out, one after another: as many models are trained. */
  rounds: number;
}

const FEW_EXAMPLES = 1000;
const MANY_EXAMPLES = 4000;
const NEVER = -1;

/** Three or five models together take about as long as one of the largest bots; those have examples enough in a fifth of theirs. */
export function foldPlanFor(exampleCount: number): FoldPlan {
  if (exampleCount < FEW_EXAMPLES) return { parts: 5, rounds: 5 };
  return exampleCount < MANY_EXAMPLES ? { parts: 3, rounds: 3 } : { parts: 5, rounds: 1 };
}

/**
 * Deals a bot's examples into folds, each intent's evenly. No example is in the `heldOut` of two folds, or of a fold that knows it; an
 * intent's only example is never held out, so that every model knows every intent by an example. Folds that would ask nothing are left
 * out. The same seed gives the same folds.
 */
export function splitIntoFolds(
  intents: readonly IntentExamples[],
  plan: FoldPlan = foldPlanFor(countExamples(intents)),
  seed = 1,
): Fold[] {
  const partOf = dealExamples(intents, plan.parts, seed);
  return Array.from({ length: plan.rounds }, (_, round) =>
    foldOf(intents, (intent, example) => partOf[intent]![example] === round),
  ).filter(({ heldOut }) => heldOut.length > 0);
}

export function countExamples(intents: readonly IntentExamples[]): number {
  return intents.reduce((sum, { examples }) => sum + (examples?.length ?? 0), 0);
}

function dealExamples(intents: readonly IntentExamples[], parts: number, seed: number): Int32Array[] {
  const random = seededRandom(seed);
  let next = 0;
  return intents.map(({ examples = [] }) => {
    const order = Int32Array.from(examples.keys());
    shuffle(order, random);
    const part = new Int32Array(examples.length).fill(NEVER);
    if (examples.length > 1) for (const example of order) part[example] = next++ % parts;
    return part;
  });
}

function foldOf(
  intents: readonly IntentExamples[],
  isHeldOut: (intent: number, example: number) => boolean,
): Fold {
  return {
    known: intents.map((intent, i) => ({
      ...intent,
      examples: (intent.examples ?? []).filter((_, e) => !isHeldOut(i, e)),
    })),
    heldOut: intents.flatMap(({ name, examples = [] }, i) =>
      examples.filter((_, e) => isHeldOut(i, e)).map((text) => ({ text, intent: name })),
    ),
  };
}
