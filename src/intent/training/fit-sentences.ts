import { intentNameInWords } from "../../domain/intent-name.ts";
import { packRidge, trainRidge } from "../encoder/ridge.ts";
import { chooseExamples } from "./choose-examples.ts";
import { collectTexts, type IntentExamples } from "./examples.ts";
import { sizeOf } from "./training-size.ts";

/** What the encoder makes of a text: a vector of length 1. Undefined where the text is blank, or nobody can say. */
export type VectorOf = (text: string) => Float32Array | undefined;

/**
 * What a text counts for its intent, by what it is. On bots that the encoder has not seen, half or twice the weight of labels or answers
 * changes the share of messages whose intent comes first by less than a point (`npm run bench:intent -- --fit`).
 */
const WEIGHTS = { example: 1, label: 0.7, description: 0.7, answer: 0.3 };
/** Characters of an answer that are read. */
const MOST_OF_ANSWER = 200;

/** A text that says what an intent is about. */
interface IntentText {
  /** Number of its intent. */
  intent: number;
  text: string;
  weight: number;
}

/** The texts of a bot that training wants encoded, each once. */
export function textsToEncode(intents: readonly IntentExamples[]): string[] {
  return [...new Set(chosenTexts(intents).map(({ text }) => text))];
}

/** The ridge model of a bot's texts by what they mean, in bytes: empty where there is nothing to encode. Undefined where nobody could encode it. */
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
 * Examples, labels (names where there are none), descriptions and answers. None where there is one intent, as it has no rival; where examples
 * are many, as they say enough by themselves; and of too many intents.
 */
function chosenTexts(intents: readonly IntentExamples[]): IntentText[] {
  if (intents.length < 2 || sizeOf(collectTexts(intents).texts.length) === "many") return [];
  const texts = intents.flatMap((of, intent): IntentText[] =>
    [
      ...(of.examples ?? []).map((text) => ({ text, weight: WEIGHTS.example })),
      { text: of.label ?? intentNameInWords(of.name), weight: WEIGHTS.label },
      { text: of.description ?? "", weight: WEIGHTS.description },
      { text: of.answer?.slice(0, MOST_OF_ANSWER) ?? "", weight: WEIGHTS.answer },
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
