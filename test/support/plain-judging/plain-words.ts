import { chatSpeakIn } from "../../../src/text/chat-speak.ts";
import type { Language } from "../../../src/text/languages.ts";
import { normaliseText } from "../../../src/text/normalise.ts";

/** A word or emoji in the form of `wordsOfMessage`. */
interface FoundWord {
  text: string;
  start: number;
  end: number;
}

const EMOTICON = String.raw`(?<![\p{L}\p{N}])(?:[:;=]['’]?[-o^]?[()\[\]DdPpOo3|/\\*xX$S]+|[xX]D+|<3+|\^_*\^|-_+-|[oO]_[oO])(?![\p{L}\p{N}])`;
const EMOJI = String.raw`\p{RI}\p{RI}|\p{Extended_Pictographic}(?:\uFE0F|\p{EMod})*(?:\u200D\p{Extended_Pictographic}(?:\uFE0F|\p{EMod})*)*`;
const WORD = String.raw`[\p{L}\p{M}\p{N}]+(?:['’‘\u0060´][\p{L}\p{M}]+)*`;

/** The words of a message; undefined if it has an emoji or emoticon. */
export function wordsByPattern(text: string): FoundWord[] | undefined {
  const found = [...text.matchAll(new RegExp(`${EMOTICON}|(${EMOJI})|(${WORD})`, "gu"))];
  if (found.some(({ 2: word }) => word === undefined)) return undefined;
  return found.map(({ 2: word, index }) => {
    return { text: normaliseText(word!), start: index, end: index + word!.length };
  });
}

export function writtenOutByPattern(
  text: string,
  language: Language,
  knows: (word: string) => boolean,
): string {
  const known = chatSpeakIn(language);
  const written = text.replace(/[\p{L}\p{M}\p{N}]+/gu, (word) => {
    const meant = known.get(normaliseText(word));
    return meant === undefined || knows(word) ? word : meant.join(" ");
  });
  return written === text || written.trim() === "" ? text : written;
}
