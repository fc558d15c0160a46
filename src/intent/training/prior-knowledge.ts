import { detectLanguage } from "../words/detect-language.ts";
import { meaningsOf } from "../words/glossary.ts";
import { NO_KNOWLEDGE, type WordKnowledge } from "../words/word-knowledge.ts";
import { sizeOf } from "./training-size.ts";

/**
 * What is known of the words of a bot before any example is read: something where most of its texts are in one of `LANGUAGES`. Where
 * examples are many, what words mean is known but not weighed: it gains nothing, and training would take half as long again.
 */
export function knowledgeFor(texts: readonly string[]): WordKnowledge {
  const language = detectLanguage(texts);
  if (language === undefined) return NO_KNOWLEDGE;
  return { language, meanings: meaningsOf(language), isWeighed: sizeOf(texts.length) === "few" };
}
