import { readFileSync } from "node:fs";

import file from "./word-meanings.bin" with { type: "file" };
import { WordMeanings } from "./word-meanings.ts";

let english: WordMeanings | undefined;

/**
 * What frequent English words mean; read when first asked for. Made by test/bench/intent/word-meanings/make.ts from GloVe (Pennington
 * et al. 2014; in the public domain, PDDL 1.0) and the Universal Sentence Encoder (Cer et al. 2018; Apache 2.0).
 */
export function englishMeanings(): WordMeanings {
  english ??= WordMeanings.unpack(new Uint8Array(readFileSync(file)));
  return english;
}
