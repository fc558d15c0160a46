import type { PersonalDataKind } from "../../domain/personal-data.ts";
import { findPersonalData } from "../../text/personal-data.ts";
import { asSeen } from "./characters.ts";
import { decodedData, reversed } from "./encodings.ts";

// Readings of a text with hidden data or deny terms made visible. They are searched for these only, because order numbers, codes and links
// can decode to anything by chance.

/** Invisible characters: format characters, variation selectors, keycap frames, and blanks that are no white space. */
const UNSEEN = /[\p{Cf}\ufe00-\ufe0f\u20e3\u034f\u180b-\u180e\u115f\u1160\u3164]/gu;
/** Regional indicator letters, which form flags. */
const FLAG_LETTERS = /[\u{1f1e6}-\u{1f1ff}]/gu;
/** Tags and comments of HTML, forum tags, and Markdown marks between letters. */
const MARKUP =
  /<!--[^>]{0,200}-->|<\/?[a-z][^<>]{0,200}>|\[\/?[a-z]{1,10}(?:=[^\]]{0,100})?\]|(?<=[\p{L}\p{N}])(?:\*\*|__|~~|`)(?=[\p{L}\p{N}])/giu;
/** Signs that resemble the letter x, beside letters. */
const X_BESIDE_LETTERS = /(?<=\p{L})[×✕✖⨯]|[×✕✖⨯](?=\p{L})/gu;
/** Five or more consecutive single characters. */
const APART = /(?<!\S)(?:\S\s){4,}\S(?!\S)/gu;
/** White space around a dot or at sign, which no sentence has. */
const AROUND_SIGNS = /\s+([.@])\s+/gu;
// oxlint-disable-next-line no-control-regex -- the range is ASCII
const ASCII = /^[\x00-\x7f]*$/;
const MIN_DIGITS_MIRRORED = 7;

/** The displayed text, if it differs from the written one: without invisible characters, markup and framed letters. */
function seen(text: string): string {
  let plain = text;
  if (!ASCII.test(plain)) {
    plain = asSeen(plain.replaceAll(UNSEEN, ""))
      .replaceAll(FLAG_LETTERS, (letter) => String.fromCodePoint(letter.codePointAt(0)! - 0x1_f1_e6 + 0x61))
      .replaceAll(X_BESIDE_LETTERS, "x");
  }
  return /[<[*_~`]/.test(plain) ? plain.replaceAll(MARKUP, "") : plain;
}

/** Replaces two letters that look like one. */
const withSingleLetters = (text: string): string => text.replaceAll(/vv/giu, "w");

const joined = (text: string): string =>
  text.replaceAll(APART, (run) => run.replaceAll(/\s/gu, "")).replaceAll(AROUND_SIGNS, "$1");

/**
 * Characters of which at least one is needed for a different reading: signs of an encoding or markup, a digit, a capital inside a word (as
 * in Base64), "vv", non-ASCII characters, four single characters, or a dot between spaces.
 */
const MAY_HIDE = /[^\t\n\r -~]|[&%\\<[*_~`@\d]|[A-Za-z][A-Z]|vv|VV|\s\S\s\S\s\S\s|^\S\s\S\s\S\s|\s\.\s/;

/** Readings of a text that differ from it; none for most texts. Pure. */
export function unhidden(text: string): string[] {
  if (!MAY_HIDE.test(text)) return [];
  const plain = seen(text);
  const readings = new Set(
    [plain, ...decodedData(plain)].flatMap((base) => [
      base,
      seen(base),
      joined(base),
      withSingleLetters(base),
    ]),
  );
  readings.delete(text);
  return [...readings];
}

/** Words in the same sentence that say that a number is something else. */
const NAMES_SOMETHING =
  /(?:#|number|no|nr|order|parcel|track\w*|invoice|ticket|customer|article|item|ref\w*|isbn|ean|bestell\w*|auftrag\w*|rechnung\w*|kunden\w*|artikel\w*|sendung\w*|commande|facture|pedido|factura|ordine|fattura|ordernummer|factuur|encomenda|fatura)[^\d\n?!.,;]{0,20}$/iu;

/**
 * Personal data in the reversed text. Reversed digits may be anything, so a card or phone number counts only if nothing says that it is
 * something else, and a phone number only with a `+` or grouping.
 */
export function findMirroredPattern(
  text: string,
  kinds: readonly PersonalDataKind[],
): PersonalDataKind | undefined {
  if (kinds.length === 0) return undefined;
  const digits = text.match(/\p{Nd}/gu)?.length ?? 0;
  if (digits < MIN_DIGITS_MIRRORED && !text.includes("@")) return undefined;
  const mirrored = reversed(text);
  return findPersonalData(mirrored, kinds).find(({ kind, start, end }) => {
    if (kind === "e-mail" || kind === "iban") return true;
    const written = reversed(mirrored.slice(start, end));
    if (NAMES_SOMETHING.test(text.slice(0, mirrored.length - end))) return false;
    return (
      kind === "card-number" ||
      written.includes("+") ||
      /\d{4}[\s\p{Pd}./]\d|\d[\s\p{Pd}./]\d{4}/u.test(written)
    );
  })?.kind;
}
