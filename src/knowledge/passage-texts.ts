import type { Passage } from "./passage.ts";
import { sentencesOf } from "./sentences.ts";

/** Characters of a passage that the encoder reads at a time, its heading aside: some 100 pieces. */
const MOST_CHARACTERS = 400;
/** Windows that are read of a passage; splitters make them far shorter. */
const MOST_WINDOWS = 4;

/** What a passage stands under: its nearest heading, or else the document's title. */
export function headingOf({ headingPath, title }: Pick<Passage, "headingPath" | "title">): string {
  return headingPath.at(-1) ?? title;
}

/**
 * The texts by which it is known what a passage means: its heading, and its body behind the heading, in windows of whole sentences where it is
 * long.
 * @param language of the passage, as a BCP 47 tag.
 */
export function textsOfPassage(passage: Passage, language: string): string[] {
  const heading = headingOf(passage);
  const windows: string[] = [];
  let window = "";
  for (const { start, end } of sentencesOf(passage.body, language)) {
    const sentence = passage.body.slice(start, end);
    if (window !== "" && window.length + sentence.length > MOST_CHARACTERS) {
      windows.push(window);
      window = "";
    }
    window = window === "" ? sentence : `${window} ${sentence}`;
  }
  if (window !== "") windows.push(window);
  return [heading, ...windows.slice(0, MOST_WINDOWS).map((text) => `${heading}. ${text}`)];
}
