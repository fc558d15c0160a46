import { intentNameInWords } from "../../domain/intent-pattern.ts";

/** One intent with its examples and descriptions. */
export interface IntentExamples {
  name: string;
  label?: string | undefined;
  description?: string | undefined;
  examples?: readonly string[] | undefined;
  /** The bot's response. It describes the intent in other words than visitors use, so only the encoder reads it. */
  answer?: string | undefined;
}

/** Texts with the index of each text's intent. */
export interface LabelledTexts {
  texts: readonly string[];
  labels: Int32Array;
  classCount: number;
}

export function countExamples(intents: readonly IntentExamples[]): number {
  return intents.reduce((sum, { examples }) => sum + (examples?.length ?? 0), 0);
}

/**
 * All examples, and each intent's name, label and description as further ones. A label equal to the name (apart from spelling) is used
 * once. Labels are indices into `intents`.
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
