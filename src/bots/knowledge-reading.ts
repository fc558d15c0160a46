import type { TextLanguage } from "../domain/texts.ts";
import { glossText } from "../intent/classifier.ts";
import type { KnowledgeParts } from "../knowledge/answer.ts";
import { languageOf } from "../text/language-of.ts";
import { type Language, LANGUAGES } from "../text/languages.ts";
import type { Vectors } from "./vectors.ts";

/** Characters of a message that are put into English: what a question to documents is read of. */
const MOST_CHARACTERS = 2000;

/**
 * What lookups in documents take from the engine of intents: messages in English words, and what they mean.
 * @param spoken the language of the bot: that of messages which do not show theirs.
 * @param vectors absent: nobody says what texts mean.
 * @param read ids of the passages that were read by the time that somebody asks.
 */
export function knowledgeReading(
  spoken: TextLanguage,
  vectors: Vectors | undefined,
  read: readonly number[],
): Required<Pick<KnowledgeParts, "translate">> & Pick<KnowledgeParts, "meanings"> {
  const languageOfMessage = (message: string) => knownLanguage(languageOf([message]) ?? spoken);
  return {
    translate: (message) => glossText(message.slice(0, MOST_CHARACTERS), languageOfMessage(message) ?? "en"),
    ...(vectors && {
      meanings: {
        ofMessage: (message) => vectors.findOnce(message, read),
        ofPassage: (text) => vectors.find(text, read),
      },
    }),
  };
}

/** Undefined of languages whose words are not known. */
function knownLanguage(language: TextLanguage): Language | undefined {
  return LANGUAGES.find((known) => known === language);
}
