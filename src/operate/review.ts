import type { IntentExamples } from "../intent/classifier.ts";
import { normaliseText } from "../text/normalise.ts";
import type { Prediction } from "./evaluate.ts";

/** Two intents that the classifier confuses. */
export interface OverlappingPair {
  intents: readonly [string, string];
  /** Number of their examples mistaken for the other. */
  confused: number;
  /** Number of examples of both. */
  total: number;
  /** The clearest confusions, at most five: candidates to move or reword. */
  examplesToMove: readonly { text: string; from: string; to: string; confidence: number }[];
}

/** A warning about a bot's examples; `message` is a full sentence. */
export type IntentWarning =
  | { kind: "few_examples"; intents: readonly { intent: string; count: number }[]; message: string }
  | { kind: "shared_example"; text: string; intents: readonly string[]; message: string }
  | { kind: "overlap"; pair: OverlappingPair; message: string }
  | { kind: "shadowed_denial"; denied: string; by: string; examples: readonly string[]; message: string };

/** An intent with fewer examples gets a warning: accuracy on BANKING77 rises by 5 points from 5 to 10 examples per intent. */
const FEW_EXAMPLES = 5;
export const HOW_MANY_EXAMPLES = "five per intent are enough to begin with, ten are better";
/** Minimum share of confused examples at which two intents overlap; a smaller share may be chance. Chosen by hand. */
const NOTABLE_OVERLAP = 0.1;
// Most examples listed for a pair.
const MAX_EXAMPLES_TO_MOVE = 5;
const MAX_OVERLAPS = 3;
const MAX_LISTED = 3;
const MAX_FEW_LISTED = 8;

/** The pairs confused most, worst first. */
export function findOverlaps(predictions: readonly Prediction[], most: number): OverlappingPair[] {
  const totals = Map.groupBy(predictions, ({ expected }) => expected);
  const confused = predictions.filter(
    ({ expected, got }) => expected !== null && got !== null && expected !== got,
  );
  const pairs = Map.groupBy(confused, ({ expected, got }) => pairKey(expected!, got!));
  const overlaps = [...pairs].map(([key, mistakes]): OverlappingPair => {
    const [a, b] = JSON.parse(key) as [string, string];
    const toMove = mistakes.toSorted((x, y) => y.confidence - x.confidence).slice(0, MAX_EXAMPLES_TO_MOVE);
    return {
      intents: [a, b],
      confused: mistakes.length,
      total: (totals.get(a)?.length ?? 0) + (totals.get(b)?.length ?? 0),
      examplesToMove: toMove.map(({ text, expected, got, confidence }) => ({
        text,
        from: expected!,
        to: got!,
        confidence,
      })),
    };
  });
  return overlaps.toSorted((a, b) => b.confused - a.confused).slice(0, most);
}

/** The same key for (a, b) and (b, a). */
function pairKey(a: string, b: string): string {
  return JSON.stringify(a < b ? [a, b] : [b, a]);
}

/**
 * The warnings of `parley seed` for one bot. @param predictions for its examples, from `crossValidate`. @param denied intents that the
 * capability profile denies.
 */
export function reviewIntents(
  intents: readonly IntentExamples[],
  predictions: readonly Prediction[],
  denied: ReadonlySet<string>,
): IntentWarning[] {
  return [
    ...warnOfFewExamples(intents),
    ...warnOfSharedExamples(intents),
    ...warnOfShadowedDenials(predictions, denied),
    ...warnOfOverlaps(predictions),
  ];
}

/** One warning for all intents with few examples; none without any. */
export function warnOfFewExamples(intents: readonly IntentExamples[]): IntentWarning[] {
  const few = intents
    .map(({ name, examples = [] }) => ({ intent: name, count: examples.length }))
    .filter(({ count }) => count < FEW_EXAMPLES);
  if (few.length === 0) return [];
  const named = few.slice(0, MAX_FEW_LISTED).map(({ intent, count }) => `${intent} (${count})`);
  const others = few.length > named.length ? ` and ${few.length - named.length} more` : "";
  const message = `few examples: ${named.join(", ")}${others}; ${HOW_MANY_EXAMPLES}.`;
  return [{ kind: "few_examples", intents: few, message }];
}

function warnOfSharedExamples(intents: readonly IntentExamples[]): IntentWarning[] {
  const uses = intents.flatMap(({ name, examples = [] }) => examples.map((text) => ({ name, text })));
  const byText = Map.groupBy(uses, ({ text }) => normaliseText(text).trim());
  return [...byText.values()].flatMap((same): IntentWarning[] => {
    const names = [...new Set(same.map(({ name }) => name))];
    const { text } = same[0]!;
    const message = `"${text}" is an example of ${names.join(" and of ")}; keep it in one.`;
    return names.length > 1 ? [{ kind: "shared_example", text, intents: names, message }] : [];
  });
}

function warnOfOverlaps(predictions: readonly Prediction[]): IntentWarning[] {
  return findOverlaps(predictions, MAX_OVERLAPS)
    .filter(({ confused, total }) => confused > 1 && confused >= NOTABLE_OVERLAP * total)
    .map((pair) => ({
      kind: "overlap",
      pair,
      message: `${pair.intents.join(" and ")} overlap: ${pair.confused} of their ${pair.total} examples are taken for the other.`,
    }));
}

function warnOfShadowedDenials(
  predictions: readonly Prediction[],
  denied: ReadonlySet<string>,
): IntentWarning[] {
  const lost = predictions.filter(
    ({ expected, got, isAccepted }) =>
      expected !== null && got !== null && isAccepted && denied.has(expected) && !denied.has(got),
  );
  const byPair = Map.groupBy(lost, ({ expected, got }) => JSON.stringify([expected, got]));
  return [...byPair].map(([key, mistakes]) => {
    const [intent, by] = JSON.parse(key) as [string, string];
    const examples = mistakes.map(({ text }) => text);
    const message = `${intent} is denied, but ${by} is not and shadows it: ${listed(examples)}.`;
    return { kind: "shadowed_denial", denied: intent, by, examples, message };
  });
}

function listed(texts: readonly string[]): string {
  const quoted = texts.slice(0, MAX_LISTED).map((text) => `"${text}"`);
  const rest = texts.length - quoted.length;
  return `${quoted.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
