import { intentNameInWords } from "../../domain/intent-name.ts";
import type { Language } from "../../text/languages.ts";
import { packRidge } from "../encoder/ridge-format.ts";
import { trainRidge } from "../encoder/ridge.ts";
import { openSentenceEncoder } from "../encoder/sentence-encoder.ts";
import { asSentence, nameAsSentence } from "../sentences/sentence-text.ts";
import { chooseExamples } from "./choose-examples.ts";
import { collectTexts, type IntentExamples } from "./examples.ts";
import type { Report } from "./fit-linear.ts";
import { sizeOf } from "./training-size.ts";

/** Kept by this thread: the folds of a cross-validation have most examples in common. 2 KB each. */
const MOST_KEPT = 2500;
/** Examples between two reports of progress: some 40 ms. */
const REPORTED = 20;
const kept = new Map<string, Float32Array>();

/**
 * Whether a bot's examples are encoded. One intent has no rival; in a language that is not known, the encoder sees only strange words; and
 * where examples are many they say enough by themselves, as 2.8 s more of training gain 0.7 points on CLINC150.
 */
export function hasSentences(
  intents: readonly IntentExamples[],
  language: Language | undefined,
): language is Language {
  const { texts } = collectTexts(intents);
  return intents.length > 1 && language !== undefined && sizeOf(texts.length) === "few";
}

/**
 * The ridge model of a bot's examples, names, labels and descriptions by what they mean, in bytes. Undefined where the processor or the
 * runtime has no SIMD.
 */
export function fitSentences(
  intents: readonly IntentExamples[],
  language: Language,
  report: Report,
): Uint8Array<ArrayBuffer> | undefined {
  if (!openSentenceEncoder()) return undefined;
  const { texts, labels, classCount } = collectTexts(intents);
  const names = new Set(intents.map(({ name }) => intentNameInWords(name)));
  const chosen = chooseExamples(labels, classCount);
  const [vectors, known]: [Float32Array[], number[]] = [[], []];
  chosen.forEach((example, i) => {
    const text = texts[example]!;
    const vector = encodeOnce(names.has(text) ? nameAsSentence(text, language) : asSentence(text, language));
    if (vector === undefined) return;
    vectors.push(vector);
    known.push(labels[example]!);
    if (i % REPORTED === 0) report(i / chosen.length);
  });
  const model = trainRidge(vectors, known, classCount);
  report(1);
  return packRidge(model);
}

/** Undefined where the text is blank. */
function encodeOnce(text: string): Float32Array | undefined {
  const known = kept.get(text);
  if (known) return known;
  const vector = openSentenceEncoder()?.encodeCentred(text);
  if (kept.size >= MOST_KEPT) kept.clear();
  if (vector) kept.set(text, vector);
  return vector;
}
