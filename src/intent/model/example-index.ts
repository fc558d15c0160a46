import { normaliseText } from "../../text/normalise.ts";
import { isWord, TokenBuffer } from "../../text/tokenise.ts";
import { hashPair, hashWord, START } from "../../text/word-hash.ts";

/** Whole examples as hashes of their words, each once. Spaces, case, accents and punctuation make no difference. */
export type ExampleIndex = Int32Array;

export function indexExamples(texts: readonly string[]): ExampleIndex {
  const tokens = new TokenBuffer();
  return Int32Array.from(new Set(texts.map((text) => hashText(text, tokens))));
}

export function isIndexed(index: ExampleIndex, text: string): boolean {
  return index.includes(hashText(text, new TokenBuffer()));
}

function hashText(text: string, tokens: TokenBuffer): number {
  tokens.read(normaliseText(text));
  const { codeUnits, starts, ends, count } = tokens;
  let hash = START;
  for (let t = 0; t < count; t++) {
    if (isWord(codeUnits, starts[t]!, ends[t]!))
      hash = hashPair(hash, hashWord(codeUnits, starts[t]!, ends[t]!));
  }
  return hash;
}
