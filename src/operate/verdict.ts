import type { DecidedUtterance } from "./decide-utterances.ts";
import { countOutcomes, outcomeOf } from "./misses.ts";
import type { IntentWarning } from "./review.ts";

/** How well a bot understands, in a word. */
export type Grade = "good" | "fair" | "weak";

/** What a cross-validation says about a bot, in plain words. */
export interface Verdict {
  /** null where there was nothing to judge by. */
  grade: Grade | null;
  /** Held-back examples that were answered rightly, or refused where they are to be. */
  right: number;
  /** Those that were asked back with the right intent among the choices. */
  asked: number;
  /** Those that documents answered: rightly where they say what the intent does. */
  documents: number;
  judged: number;
  /** What to do next, as a sentence. */
  next: string;
}

/**
 * Share of held-back examples that are served (right, asked back rightly, or answered from documents) from which on a bot is good, or fair. Of the bots of
 * `npm run bench:realistic -- --review`, 36 to 63 % of held-back examples are served and 39 to 67 % of their visitors' messages, 6 points
 * more in the mean: an example that is held back has one known example less than a message. So a good bot serves about four of five
 * visitors, and a fair one about three of five.
 */
const GRADES: readonly [from: number, grade: Grade][] = [
  [0.75, "good"],
  [0.55, "fair"],
  [0, "weak"],
];
/** Share of two intents' examples that are taken for each other, from which on telling them apart comes before more examples. */
const MUCH_OVERLAP = 0.2;
/** An intent with fewer examples gains by more of them: accuracy on BANKING77 is 77 % with five an intent, and 82 % with ten. */
const ENOUGH_EXAMPLES = 10;
/** An intent with at least this share of its examples served needs no more of them before others do. */
const INTENT_IS_FINE = 0.75;

export function judgeBot(
  decided: readonly DecidedUtterance[],
  warnings: readonly IntentWarning[],
  botId: string,
): Verdict {
  const { right, asked, documents } = countOutcomes(decided);
  return {
    grade: gradeOf((right + asked + documents) / decided.length),
    right,
    asked,
    documents,
    judged: decided.length,
    next: nextStep(decided, warnings, botId),
  };
}

/** The grade of a share; null of none. */
export function gradeOf(served: number): Grade | null {
  return GRADES.find(([from]) => served >= from)?.[1] ?? null;
}

function nextStep(
  decided: readonly DecidedUtterance[],
  warnings: readonly IntentWarning[],
  botId: string,
): string {
  return (
    stepForDenial(warnings) ??
    stepForFewExamples(warnings) ??
    stepForOverlap(warnings) ??
    stepForWeakest(decided) ??
    `Try it with messages of your own: \`parley explain --bot ${botId} "message"\`.`
  );
}

function stepForDenial(warnings: readonly IntentWarning[]): string | undefined {
  const shadowed = warnings.find(({ kind }) => kind === "shadowed_denial");
  if (shadowed?.kind !== "shadowed_denial") return undefined;
  return `Add examples to ${shadowed.denied}, which is denied: ${shadowed.by} answers some of what it should catch.`;
}

function stepForFewExamples(warnings: readonly IntentWarning[]): string | undefined {
  const few = warnings.find(({ kind }) => kind === "few_examples");
  if (few?.kind !== "few_examples") return undefined;
  const [least, ...others] = few.intents.toSorted((a, b) => a.count - b.count);
  const rest =
    others.length === 0
      ? ""
      : `; ${others.length === 1 ? "one other has" : `${others.length} others have`} few, too`;
  return `Add examples to ${least!.intent}, it has ${least!.count === 0 ? "none" : least!.count}${rest}.`;
}

function stepForOverlap(warnings: readonly IntentWarning[]): string | undefined {
  const overlap = warnings.find(({ kind }) => kind === "overlap");
  if (overlap?.kind !== "overlap") return undefined;
  const { intents, confused, total, examplesToMove } = overlap.pair;
  const [example] = examplesToMove;
  if (confused < MUCH_OVERLAP * total || !example) return undefined;
  return `Tell ${intents.join(" and ")} apart: "${example.text}" of ${example.from} looks like ${example.to}; move or reword it, or add examples that only one of them could have.`;
}

/** The intent that most of its own examples do not find. */
function stepForWeakest(decided: readonly DecidedUtterance[]): string | undefined {
  const [weakest] = [...Map.groupBy(decided, ({ expected }) => expected)]
    .map(([intent, own]) => ({
      intent,
      total: own.length,
      served: own.filter((utterance) => outcomeOf(utterance) !== "missed").length,
    }))
    .filter(({ total, served }) => served < INTENT_IS_FINE * total)
    .toSorted((a, b) => a.served / a.total - b.served / b.total || b.total - a.total);
  if (!weakest) return undefined;
  const { intent, total, served } = weakest;
  const understood = served === 0 ? "none was" : served === 1 ? "one was" : `${served} were`;
  const more = total < ENOUGH_EXAMPLES ? " Ten or more that differ make a good intent." : "";
  return `Add examples to ${intent}: of its ${total}, ${understood} understood when held back.${more}`;
}
