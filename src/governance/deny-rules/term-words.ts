import { normaliseText } from "../../text/normalise.ts";
import { TokenBuffer } from "../../text/tokenise.ts";

const WORD = /[\p{L}\p{M}\p{N}]/u;

/** Buffer for one text at a time; nothing in it is kept. */
const tokens = new TokenBuffer();

/** The words of a text in the form that deny terms are compared with: normalised and without signs. */
export function termWordsOf(text: string): string[] {
  tokens.read(normaliseText(text));
  return tokens.words().filter((word) => WORD.test(word));
}
