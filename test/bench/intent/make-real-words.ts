/** Makes src/intent/words/real-words.bin: `bun test/bench/intent/make-real-words.ts`. Run it again when the encoder's pieces change. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { LANGUAGES } from "../../../src/text/languages.ts";
import { normaliseText } from "../../../src/text/normalise.ts";
import { hashWordText } from "../../../src/text/word-hash.ts";
import { generalRequestsIn } from "../../support/general-requests.ts";

const INTENT = join(import.meta.dir, "../../../src/intent");
/** The first character of a piece that begins a word. */
const WORD_START = "▁";
/** Shortest word; shorter ones are one edit away from too many others. */
const SHORTEST = 3;
const WORD = /[\p{L}\p{M}]+/gu;

/** The ascending hashes of all real words, each once. */
export function realWordHashes(): Int32Array {
  const pieces = readFileSync(join(INTENT, "encoder/vocabulary.txt"), "utf8").split("\n");
  const whole = pieces.filter((piece) => piece.startsWith(WORD_START)).map((piece) => piece.slice(1));
  const texts = [...whole, ...LANGUAGES.flatMap(generalRequestsIn)];
  const words = texts.flatMap((text) => normaliseText(text).match(WORD) ?? []);
  const hashes = words.filter((word) => word.length >= SHORTEST).map(hashWordText);
  return Int32Array.from(new Set(hashes)).toSorted();
}

if (import.meta.main) writeFileSync(join(INTENT, "words/real-words.bin"), realWordHashes());
