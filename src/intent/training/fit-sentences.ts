import { packRidge, trainRidge } from "../encoder/ridge.ts";
import { centred } from "../sentences/centre.ts";
import { chooseExamples } from "./choose-examples.ts";
import { collectTexts, type IntentExamples, type LabelledTexts } from "./examples.ts";
import { sizeOf } from "./training-size.ts";

/** What the encoder makes of a text: a vector of length 1. Undefined where the text is blank, or nobody can say. */
export type VectorOf = (text: string) => Float32Array | undefined;

/**
 * The texts of a bot that training wants encoded: examples, names, labels and descriptions, each once. None where there is one intent, as it
 * has no rival; where examples are many, as they say enough by themselves; and of too many intents.
 */
export function textsToEncode(intents: readonly IntentExamples[]): string[] {
  const all = collectTexts(intents);
  return [...new Set(chosenOf(all).map((example) => all.texts[example]!))];
}

/** The ridge model of a bot's texts by what they mean, in bytes. Undefined where none is encoded. */
export function fitSentences(all: LabelledTexts, vectorOf: VectorOf): Uint8Array<ArrayBuffer> | undefined {
  const [vectors, known]: [Float32Array[], number[]] = [[], []];
  for (const example of chosenOf(all)) {
    const vector = vectorOf(all.texts[example]!);
    if (vector === undefined) continue;
    vectors.push(centred(vector));
    known.push(all.labels[example]!);
  }
  return vectors.length === 0 ? undefined : packRidge(trainRidge(vectors, known, all.classCount));
}

function chosenOf({ texts, labels, classCount }: LabelledTexts): number[] {
  return classCount > 1 && sizeOf(texts.length) === "few" ? chooseExamples(labels, classCount) : [];
}
