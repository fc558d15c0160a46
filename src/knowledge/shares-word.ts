import { isFunctionWord } from "../text/function-words.ts";
import { hashWordText } from "../text/word-hash.ts";
import { WORD } from "./characters.ts";
import { foldText } from "./fold-text.ts";
import { type Passage, titleOf } from "./passage.ts";
import { hashPrefix, termsOf, visitUnits } from "./terms.ts";

/** Whether a passage holds a word of a text that is more than a function word, or its beginning; true where the text has no such word. */
export function sharesWord(passage: Pick<Passage, "title" | "headingPath" | "body">, text: string): boolean {
  const terms = termsOf(`${titleOf(passage)}\n${passage.body}`);
  const folded = foldText(text);
  let hasWord = false;
  let isShared = false;
  visitUnits(folded, (start, end, kind) => {
    const word = folded.slice(start, end);
    const hash = hashWordText(word);
    if (isFunctionWord(hash)) return;
    hasWord = true;
    const prefix = kind === WORD ? hashPrefix(word) : undefined;
    isShared ||= terms.has(hash) || (prefix !== undefined && terms.has(prefix));
  });
  return isShared || !hasWord;
}
