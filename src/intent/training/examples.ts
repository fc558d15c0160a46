import { intentNameInWords } from "../../domain/intent-pattern.ts";

/** One intent as an operator describes it. */
export interface IntentExamples {
  name: string;
  label?: string | undefined;
  description?: string | undefined;
  examples?: readonly string[] | undefined;
  /** What the bot responds. It says what the intent is about, and is no message of a visitor: the encoder alone reads it. */
  answer?: string | undefined;
}

/** Texts with the index of each one's intent. */
export interface LabelledTexts {
  texts: readonly string[];
  labels: Int32Array;
  classCount: number;
}

export function countExamples(intents: readonly IntentExamples[]): number {
  return intents.reduce((sum, { examples }) => sum + (examples?.length ?? 0), 0);
}

/**
 * All examples, and each intent's name in words, label and description as further ones; a label that says no more than the name does not count
 * twice. Labels are indices into `intents`.
 */
export function collectTexts(intents: readonly IntentExamples[]): LabelledTexts {
  const texts: string[] = [];
  const labels: number[] = [];
  intents.forEach((intent, label) => {
    const name = intentNameInWords(intent.name);
    const isNamed = intent.label?.trim().toLowerCase() === name.toLowerCase();
    for (const text of [
      ...(intent.examples ?? []),
      name,
      isNamed ? undefined : intent.label,
      intent.description,
    ]) {
      if (text === undefined || text.trim() === "") continue;
      texts.push(text);
      labels.push(label);
    }
  });
  return { texts, labels: Int32Array.from(labels), classCount: intents.length };
}
