import { intentNameInWords } from "../../domain/intent-pattern.ts";
import { packRidge, trainRidge } from "../encoder/ridge.ts";
import { collectTexts, type IntentExamples } from "./examples.ts";
import { sizeOf } from "./training-set.ts";

/** Looks up a text's sentence vector (L2 norm 1); undefined if the text is blank or was not encoded. */
export type VectorOf = (text: string) => Float32Array | undefined;

/**
 * Sample weights by kind of text, chosen by hand: on bots that the encoder has not seen, half or twice the weight of labels or answers
 * changes the accuracy of the first intent by less than a point (`npm run bench:intent -- --fit`).
 */
const WEIGHTS = { example: 1, label: 0.7, description: 0.7, answer: 0.3 };
/** Length in characters to which answers are cut. */
const MAX_ANSWER_LENGTH = 200;

/** A text that describes an intent. */
interface IntentText {
  /** Index of its intent. */
  intent: number;
  text: string;
  weight: number;
}

/** The distinct texts of a bot that training needs encoded. */
export function textsToEncode(intents: readonly IntentExamples[]): string[] {
  return [...new Set(chosenTexts(intents).map(({ text }) => text))];
}

/** Fits a ridge model to sentence vectors. @returns its bytes, empty without texts to encode; undefined if none was encoded. */
export function fitSentences(
  intents: readonly IntentExamples[],
  vectorOf: VectorOf,
): Uint8Array<ArrayBuffer> | undefined {
  const chosen = chosenTexts(intents);
  if (chosen.length === 0) return new Uint8Array();
  const encoded = chosen.flatMap(({ intent, text, weight }) => {
    const vector = vectorOf(text);
    return vector === undefined ? [] : [{ intent, weight, vector }];
  });
  return encoded.length === 0 ? undefined : packRidge(trainRidge(encoded, intents.length));
}

/**
 * Examples, labels (or else names), descriptions and answers. None for a single intent, which has no rival; for many examples, which
 * suffice for the linear model; and for too many intents.
 */
function chosenTexts(intents: readonly IntentExamples[]): IntentText[] {
  if (intents.length < 2 || sizeOf(collectTexts(intents).texts.length) === "many") return [];
  const texts = intents.flatMap((of, intent): IntentText[] =>
    [
      ...(of.examples ?? []).map((text) => ({ text, weight: WEIGHTS.example })),
      { text: of.label ?? intentNameInWords(of.name), weight: WEIGHTS.label },
      { text: of.description ?? "", weight: WEIGHTS.description },
      { text: of.answer?.slice(0, MAX_ANSWER_LENGTH) ?? "", weight: WEIGHTS.answer },
    ]
      .filter(({ text }) => text.trim() !== "")
      .map((text) => ({ intent, ...text })),
  );
  const chosen = chooseExamples(
    texts.map(({ intent }) => intent),
    intents.length,
  );
  return chosen.map((place) => texts[place]!);
}

/** Bounds training time: 1,650 examples take 2.8 s to encode and 1.4 s to solve, and gain little. */
export const MAX_ENCODED = 1000;

/**
 * Indexes of the examples to encode: all up to the maximum; otherwise equally many of each intent as far as it has them, evenly spread.
 * None if there are more intents than the maximum, because a model of only some intents would favour these. Deterministic. @param intents
 * the intent of each example, from 0 up to `intentCount`.
 */
export function chooseExamples(
  intents: ArrayLike<number>,
  intentCount: number,
  most = MAX_ENCODED,
): number[] {
  if (intentCount > most) return [];
  const byIntent = Array.from({ length: intentCount }, (): number[] => []);
  for (let i = 0; i < intents.length; i++) byIntent[intents[i]!]!.push(i);
  const quota = greatestQuota(
    byIntent.map((examples) => examples.length),
    most,
  );
  return byIntent.flatMap((examples) => spread(examples, quota)).toSorted((a, b) => a - b);
}

/** Largest number per intent for which the total is within the maximum. */
function greatestQuota(counts: readonly number[], most: number): number {
  const total = (quota: number) => counts.reduce((sum, count) => sum + Math.min(count, quota), 0);
  const greatest = Math.max(0, ...counts);
  let quota = Math.min(greatest, Math.floor(most / Math.max(1, counts.length)));
  while (quota < greatest && total(quota + 1) <= most) quota++;
  return quota;
}

function spread(examples: readonly number[], quota: number): number[] {
  if (examples.length <= quota) return [...examples];
  return Array.from({ length: quota }, (_, i) => examples[Math.floor((i * examples.length) / quota)]!);
}
