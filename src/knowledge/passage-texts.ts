import type { Passage } from "./passage.ts";
import { sentencesOf } from "./sentences.ts";

/** Characters of a passage that the encoder reads at a time, its heading aside: some 100 pieces. */
const MOST_CHARACTERS = 400;
/** Windows that are read of a passage; splitters make them far shorter. */
const MOST_WINDOWS = 4;
const MOST_SENTENCES = 24;

/** A passage's nearest heading, or else the document's title. */
export function headingOf({ headingPath, title }: Pick<Passage, "headingPath" | "title">): string {
  return headingPath.at(-1) ?? title;
}

/** The texts of a passage that are encoded. */
export interface PassageTexts {
  /** Its heading, and its body behind the heading, in windows of whole sentences where it is long. */
  whole: readonly string[];
  /** Each of its sentences, and rows of a table, behind the heading. */
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
    if (sentences.length < MOST_SENTENCES) sentences.push(`${heading}. ${sentence}`);
    if (window !== "" && window.length + sentence.length > MOST_CHARACTERS) {
      windows.push(window);
      window = "";
    }
    window = window === "" ? sentence : `${window} ${sentence}`;
  }
  if (window !== "") windows.push(window);
  const whole = [heading, ...windows.slice(0, MOST_WINDOWS).map((text) => `${heading}. ${text}`)];
  return { whole, sentences: sentences.length > 1 ? sentences : [] };
}
