import type { DecidedUtterance } from "./decide-utterances.ts";
import { countOutcomes, outcomeOf } from "./figures.ts";
import type { IntentWarning } from "./review.ts";

/** How well a bot understands, in one word. */
export type Grade = "good" | "fair" | "weak";

/** The result of a cross-validation, in words. */
export interface Verdict {
  /** null if there were no examples to judge. */
  grade: Grade | null;
  /** Cross-validated examples decided correctly, including correct refusals. */
  right: number;
  /** Those that got a clarifying question with the right intent. */
  asked: number;
  /** Those answered from documents, which is correct if the documents say the same as the intent. */
  documents: number;
  judged: number;
  /** The next step, as a sentence. */
  next: string;
}

/**
 * Minimum share of cross-validated examples served (correct, questioned back correctly, or answered from documents) at which a bot is
 * good, or fair. For the bots of `npm run bench:realistic -- --review`, 36 to 63 % of these examples are served and 39 to 67 % of their visitors'
 * messages, 6 points more on average, because a cross-validated example has one known example less than a message. So a good bot serves
 * about four of five visitors, and a fair one about three of five.
 */
const GRADES: readonly [from: number, grade: Grade][] = [
  [0.75, "good"],
  [0.55, "fair"],
  [0, "weak"],
];
/** Minimum share of confused examples of two intents at which separating them is the first advice. Chosen by hand. */
const MUCH_OVERLAP = 0.2;
/** Intents with fewer examples should get more: accuracy on BANKING77 is 77 % with five per intent, and 82 % with ten. */
const ENOUGH_EXAMPLES = 10;
/** An intent with at least this share of its examples served is not advised more examples. Chosen by hand. */
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

/** The grade for a share; null for null. */
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

/** The intent whose own examples are recognised worst. */
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
  const more = total < ENOUGH_EXAMPLES ? " Ten are better." : "";
  return `Add examples to ${intent}: of its ${total}, ${understood} understood when held back.${more}`;
}
