import { countExamples, type IntentExamples } from "../training/examples.ts";
import { seededRandom, shuffle } from "../training/random.ts";

/** Training and test examples of one model of a cross-validation. */
interface Fold {
  known: IntentExamples[];
  /** The test examples with their intents. */
  heldOut: { text: string; intent: string }[];
}

interface FoldPlan {
  /** Number of equal parts. */
  parts: number;
  /** Number of parts that are tested in turn, and so of models trained. */
  rounds: number;
}

/** Numbers of examples up to which five and three models are trained. Larger bots get one. */
const FIVE_MODELS_BELOW = 1000;
const THREE_MODELS_BELOW = 4000;
const NEVER = -1;

/** The cross-validation plan for a bot's size. */
export function foldPlanFor(exampleCount: number): FoldPlan {
  if (exampleCount < FIVE_MODELS_BELOW) return { parts: 5, rounds: 5 };
  return exampleCount < THREE_MODELS_BELOW ? { parts: 3, rounds: 3 } : { parts: 5, rounds: 1 };
}

/**
 * Splits a bot's examples into folds, stratified by intent. An example is tested at most once, and never by a model trained with it. An
 * intent's only example is never tested, so that every model knows every intent. Folds without test examples are left out. The same seed
 * gives the same folds.
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

/** For each intent, the part of each example. */
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
