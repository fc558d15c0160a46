import type { IntentName } from "../../domain/ids.ts";
import { intentNameInWords } from "../../domain/intent-name.ts";
import type { Language } from "../../text/languages.ts";
import { packRidge, trainRidge } from "../encoder/ridge.ts";
import { openSentenceEncoder } from "../encoder/sentence-encoder.ts";
import { asSentence, nameAsSentence } from "../sentences/sentence-text.ts";
import { chooseExamples } from "./choose-examples.ts";
import type { LabelledTexts } from "./examples.ts";
import type { Report } from "./training-set.ts";

/** Kept by this thread: the folds of a cross-validation have most examples in common. 2 KB each. */
const MOST_KEPT = 2500;
/** Examples between two reports of progress: some 40 ms. */
const REPORTED = 20;
const kept = new Map<string, Float32Array>();

/**
 * The ridge model of a bot's examples, names, labels and descriptions by what they mean, in bytes. Undefined where none is encoded, as they
 * are of too many intents, or as the processor or the runtime has no SIMD.
 */
export function fitSentences(
  intents: readonly IntentName[],
  { texts, labels, classCount }: LabelledTexts,
  language: Language,
  report: Report,
): Uint8Array<ArrayBuffer> | undefined {
  if (!openSentenceEncoder()) return undefined;
  const names = new Set(intents.map(intentNameInWords));
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
  if (vectors.length === 0) return undefined;
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
