import { countExamples, type IntentExamples } from "../training/examples.ts";
import { seededRandom, shuffle } from "../training/random.ts";

/** What one model of a cross-validation learns from, and what it is asked. */
interface Fold {
  known: IntentExamples[];
  /** Examples, and the names of their intents. */
  heldOut: { text: string; intent: string }[];
}

interface FoldPlan {
  /** Equal parts that the examples are dealt into. */
  parts: number;
  /** How many of the parts are held out, one after another: as many models are trained. */
  rounds: number;
}

/**
 * Examples up to which five models are trained, and up to which three are. Larger bots get one.
 */
const FIVE_MODELS_BELOW = 1000;
const THREE_MODELS_BELOW = 4000;
const NEVER = -1;

/** How a bot of this size is cross-validated. */
export function foldPlanFor(exampleCount: number): FoldPlan {
  if (exampleCount < FIVE_MODELS_BELOW) return { parts: 5, rounds: 5 };
  return exampleCount < THREE_MODELS_BELOW ? { parts: 3, rounds: 3 } : { parts: 5, rounds: 1 };
}

/**
 * Deals a bot's examples into folds, each intent's evenly. No example is held out by two folds, or by a fold that knows it. An intent's
 * only example is never held out, so that every model knows every intent by an example. Folds that would ask nothing are left out. The
 * same seed gives the same folds.
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

/** For each intent, the part that each of its examples is dealt to. */
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
