import type { Passage } from "./passage.ts";
import { sentencesOf } from "./sentences.ts";

/** Characters of a window, which the encoder reads at once, without the heading: about 100 tokens. Chosen by hand. */
const MAX_CHARACTERS = 400;
/** Maximum number of windows of a passage; splitters make passages far shorter. Chosen by hand. */
const MAX_WINDOWS = 4;
const MAX_SENTENCES = 24;

/** A passage's nearest heading, or else the document's title. */
export function headingOf({ headingPath, title }: Pick<Passage, "headingPath" | "title">): string {
  return headingPath.at(-1) ?? title;
}

/** The texts of a passage that are encoded. */
export interface PassageTexts {
  /** Heading and body; a long body in windows of whole sentences, each after the heading. */
  whole: readonly string[];
  /** Each sentence or table row, after the heading. */
  sentences: readonly string[];
}

/** @param language of the passage, as a BCP 47 tag. */
export function textsOfPassage(passage: Passage, language: string): PassageTexts {
  const heading = headingOf(passage);
  const windows: string[] = [];
  const sentences: string[] = [];
  let window = "";
  for (const { start, end } of sentencesOf(passage.body, language)) {
    const sentence = passage.body.slice(start, end);
    if (sentences.length < MAX_SENTENCES) sentences.push(`${heading}. ${sentence}`);
    if (window !== "" && window.length + sentence.length > MAX_CHARACTERS) {
      windows.push(window);
      window = "";
    }
    window = window === "" ? sentence : `${window} ${sentence}`;
  }
  if (window !== "") windows.push(window);
  const whole = [heading, ...windows.slice(0, MAX_WINDOWS).map((text) => `${heading}. ${text}`)];
  return { whole, sentences: sentences.length > 1 ? sentences : [] };
}
