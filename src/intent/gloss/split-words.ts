import type { Language } from "../../text/languages.ts";
import { normaliseText } from "../../text/normalise.ts";

/** Languages that elide vowels in front of vowels: l'heure, qu'est, dell'ordine. */
const ELIDING: ReadonlySet<Language> = new Set(["fr", "it"]);
const WORDS = /\p{N}[\p{L}\p{N}.,:]*|[\p{L}\p{M}]+(?:'[\p{L}\p{M}]+)*/gu;

/** The words and numbers of a text, normalised; those joined by hyphens are apart, and so are elided articles and pronouns. */
export function splitWords(text: string, language: Language): string[] {
  const plain = text.normalize("NFC").replaceAll(/[’‘`´]/g, "'");
  const apart = ELIDING.has(language) ? plain.replaceAll(/(?<=\p{L})'(?=\p{L})/gu, " ") : plain;
  return (apart.match(WORDS) ?? []).map((word) => normaliseText(word));
}
