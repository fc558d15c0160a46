import { normaliseText } from "../../text/normalise.ts";
import { isWord, TokenBuffer } from "../../text/tokenise.ts";
import { hashPair, hashWord, START } from "../../text/word-hash.ts";

/** Whole examples as hashes of their words, each once. Spaces, case, accents and punctuation make no difference. */
export type ExampleIndex = Int32Array;

/** Words of a text. */
interface TokenRanges {
  codeUnits: Uint16Array;
  starts: ArrayLike<number>;
  ends: ArrayLike<number>;
  count: number;
}

export function indexExamples(texts: readonly string[]): ExampleIndex {
  const tokens = new TokenBuffer();
  const hashes = texts.map((text) => {
    tokens.read(normaliseText(text));
    return hashExample(tokens);
  });
  return Int32Array.from(new Set(hashes));
}

/** The parts of a text's hash: a token, and whether it is a word. */
interface ExampleWord {
  /** As `hashWord` makes it. */
  hash: number;
  isWord: boolean;
}

/** The hash of a text, given by its tokens as they are written. */
export function hashOfWords(words: readonly ExampleWord[]): number {
  let hash = START;
  for (let t = 0; t < words.length; t++) if (words[t]!.isWord) hash = hashPair(hash, words[t]!.hash);
  return hash;
}

/** The same of tokens that nothing is known of. */
export function hashExample({ codeUnits, starts, ends, count }: TokenRanges): number {
  let hash = START;
  for (let t = 0; t < count; t++) {
    if (isWord(codeUnits, starts[t]!, ends[t]!))
      hash = hashPair(hash, hashWord(codeUnits, starts[t]!, ends[t]!));
  }
  return hash;
}
