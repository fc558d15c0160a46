import type { Language } from "../../text/languages.ts";
import { normaliseText } from "../../text/normalise.ts";

/** A word or number of a message. */
export interface Word {
  /** As `normaliseText` makes it. */
  text: string;
  /** The same with its diacritics. */
  spelling: string;
  /** Punctuation behind it ends a clause. */
  endsClause: boolean;
  /** It begins a clause. */
  joinsClauses: boolean;
}

/** Languages that elide vowels in front of vowels: l'heure, qu'est, dell'ordine. */
const ELIDING: ReadonlySet<Language> = new Set(["fr", "it"]);
/** Conjunctions of the languages whose particles stand at the end of a clause: German and Dutch. */
const CONJUNCTIONS: ReadonlySet<string> = new Set(
  "und oder aber wenn weil dass ob bevor sondern damit obwohl en of maar als omdat dat voordat want zodat".split(
    " ",
  ),
);
const PARTS = /\p{N}[\p{L}\p{N}.,:]*|[\p{L}\p{M}]+(?:'[\p{L}\p{M}]+)*|[?!.,;:()\n…]/gu;

/** In lower case, with straight apostrophes; elided articles and pronouns are words of their own. */
export function separateElisions(text: string, language: Language): string {
  const lower = text
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/[’‘`´]/g, "'");
  // Who has no accents at hand writes "e'" for "è".
  const accented = language === "it" ? lower.replaceAll(/(?<!\p{L})e'(?!\p{L})/gu, "è") : lower;
  return ELIDING.has(language) ? accented.replaceAll(/(?<=\p{L})'(?=\p{L})/gu, " ") : accented;
}

/** The words and numbers of a text; those joined by hyphens are apart. */
export function splitWords(text: string, language: Language): Word[] {
  const words: Word[] = [];
  for (const [part] of separateElisions(text, language).matchAll(PARTS)) {
    if (/^[\p{L}\p{N}]/u.test(part)) words.push(wordOf(part));
    else if (words.length > 0) words.at(-1)!.endsClause = true;
  }
  if (words.length > 0) words.at(-1)!.endsClause = true;
  return words;
}

function wordOf(spelling: string): Word {
  const text = normaliseText(spelling);
  return { text, spelling, endsClause: false, joinsClauses: CONJUNCTIONS.has(text) };
}
