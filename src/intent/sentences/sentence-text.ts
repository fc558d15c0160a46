import type { Language } from "../../text/languages.ts";
import { asEncoded } from "../encoder/sentence-encoder.ts";
import { glossText } from "../gloss/gloss-text.ts";

/** No more of a message is looked at: some 60 pieces, which the encoder reads, are hardly ever longer. */
export const MOST_CHARACTERS = 600;

/** What the sentence encoder is to read of a text: English words in lower case, without a stop at the end. */
export function asSentence(text: string, language: Language): string {
  return asEncoded(glossText(text.slice(0, MOST_CHARACTERS), language));
}

/** The same of an intent's name in words, which may be English whatever language the bot speaks; then it is taken as it is. */
export function nameAsSentence(name: string, language: Language): string {
  return asSentence(name, language);
}
