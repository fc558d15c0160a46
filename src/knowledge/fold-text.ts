import { normaliseText } from "../text/normalise.ts";

const ARABIC = /[\u0600-\u06ff]/;
/** Vowel signs and the stretching stroke, which most writers leave out. */
const ARABIC_SIGNS = /[\u064b-\u065f\u0670\u0640]/g;
/** Letters that are often written for one another. */
const ARABIC_LETTERS: Record<string, string> = { أ: "ا", إ: "ا", آ: "ا", ٱ: "ا", ى: "ي", ة: "ه" };

/** The form of a text in which terms are looked for: `normaliseText`, and spelling variants of Arabic as one. */
export function foldText(text: string): string {
  const normal = normaliseText(text);
  if (!ARABIC.test(normal)) return normal;
  return normal
    .replaceAll(ARABIC_SIGNS, "")
    .replaceAll(/[أإآٱىة]/g, (letter) => ARABIC_LETTERS[letter] ?? letter);
}
