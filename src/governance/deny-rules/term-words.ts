import { normaliseText } from "../../text/normalise.ts";
import { TokenBuffer } from "../../text/tokenise.ts";

const WORD = /[\p{L}\p{M}\p{N}]/u;

/** Scratch memory for one text at a time. Nothing in it outlives the reading of a text. */
const tokens = new TokenBuffer();

/** The words of a text as they are compared with deny terms: normalised, signs left out. */
export function termWordsOf(text: string): string[] {
  tokens.read(normaliseText(text));
  return tokens.words().filter((word) => WORD.test(word));
}
