import { readLanguageFile } from "../../text/language-files.ts";
import { oncePerLanguage } from "../../text/languages.ts";
import { normaliseText } from "../../text/normalise.ts";
import { WordTable } from "./word-table.ts";

/** What a language's words are in English: its glossary, read when it is first asked for. Empty for English. */
export const wordTableOf = oncePerLanguage((language): WordTable => {
  const table = new WordTable();
  // All at once: word by word takes four times as long.
  for (const line of normaliseText(readLanguageFile(language, "glossary").join("\n")).split("\n")) {
    // Of several English words of like meaning the first is taken.
    const [word, english] = line.split(" ", 2);
    if (word !== undefined && english !== undefined) table.add(word, english);
  }
  return table;
});
