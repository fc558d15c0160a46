import { sentencesOfPassage } from "./candidate.ts";
import type { Passage } from "./passage.ts";

/** The texts of a passage whose meaning `weighMeaning` may ask for: its heading, and each sentence. @param language of the passage, as a BCP 47 tag. */
export function weighedTexts(passage: Passage, language: string): string[] {
  const { headingPath, title, body } = passage;
  const sentences = sentencesOfPassage(passage, language);
  const texts = sentences.length === 0 ? [body] : sentences.map(({ start, end }) => body.slice(start, end));
  return [...new Set([headingPath.at(-1) ?? title, ...texts])];
}
