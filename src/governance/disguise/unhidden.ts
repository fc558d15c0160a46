import type { PersonalDataKind } from "../../domain/personal-data.ts";
import { findPersonalData } from "../../text/personal-data.ts";
import { asSeen } from "./characters.ts";
import { decodedData, reversed } from "./encodings.ts";

// Readings of a text in which data and deny terms show that were hidden from rules. They are searched for these alone, so that what comes
// out of order numbers, codes and links by chance does no harm.

/** Unseen: format characters, variation selectors, the frame of keycaps, blanks that are no white space. */
const UNSEEN = /[\p{Cf}\ufe00-\ufe0f\u20e3\u034f\u180b-\u180e\u115f\u1160\u3164]/gu;
/** Letters of flags. */
const FLAG_LETTERS = /[\u{1f1e6}-\u{1f1ff}]/gu;
/** Tags and remarks of HTML, tags of forums, and marks of Markdown between letters. */
const MARKUP =
  /<!--[^>]{0,200}-->|<\/?[a-z][^<>]{0,200}>|\[\/?[a-z]{1,10}(?:=[^\]]{0,100})?\]|(?<=[\p{L}\p{N}])(?:\*\*|__|~~|`)(?=[\p{L}\p{N}])/giu;
/** Signs that look like letters, beside letters. */
const X_BESIDE_LETTERS = /(?<=\p{L})[×✕✖⨯]|[×✕✖⨯](?=\p{L})/gu;
/** Five and more characters that stand alone. */
const APART = /(?<!\S)(?:\S\s){4,}\S(?!\S)/gu;
/** White space before a dot or an at sign, and behind it, as it stands in no sentence. */
const AROUND_SIGNS = /\s+([.@])\s+/gu;
// oxlint-disable-next-line no-control-regex -- the range is ASCII
const ASCII = /^[\x00-\x7f]*$/;
const FEWEST_DIGITS_MIRRORED = 7;

/** A text as it is seen, if that is something else than what is written: without unseen characters, markup, and letters in frames. */
function seen(text: string): string {
  let plain = text;
  if (!ASCII.test(plain)) {
    plain = asSeen(plain.replaceAll(UNSEEN, ""))
      .replaceAll(FLAG_LETTERS, (letter) => String.fromCodePoint(letter.codePointAt(0)! - 0x1_f1_e6 + 0x61))
      .replaceAll(X_BESIDE_LETTERS, "x");
  }
  return /[<[*_~`]/.test(plain) ? plain.replaceAll(MARKUP, "") : plain;
}

/** Two letters that look like one. */
const withSingleLetters = (text: string): string => text.replaceAll(/vv/giu, "w");

const joined = (text: string): string =>
  text.replaceAll(APART, (run) => run.replaceAll(/\s/gu, "")).replaceAll(AROUND_SIGNS, "$1");

/**
 * What each of the readings needs: signs of an encoding or of markup, a digit or a capital within a word (so has Base64; printable bytes in
 * hexadecimal have digits), "vv", characters beyond ASCII, four that stand alone, a dot between spaces.
 */
const MAY_HIDE = /[^\t\n\r -~]|[&%\\<[*_~`@\d]|[A-Za-z][A-Z]|vv|VV|\s\S\s\S\s\S\s|^\S\s\S\s\S\s|\s\.\s/;

/** Readings of a text that differ from it; none of most texts. Pure. */
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

/** Words that say that a number names something else, in the same sentence. */
const NAMES_SOMETHING =
  /(?:#|number|no|nr|order|parcel|track\w*|invoice|ticket|customer|article|item|ref\w*|isbn|ean|bestell\w*|auftrag\w*|rechnung\w*|kunden\w*|artikel\w*|sendung\w*|commande|facture|pedido|factura|ordine|fattura|ordernummer|factuur|encomenda|fatura)[^\d\n?!.,;]{0,20}$/iu;

/**
 * Data that stand in a text from the last character to the first. Numbers read so may be anything: that of a card or phone counts only where nothing says
 * what else it is, and that of a phone where it is written as one, with a `+` or in groups.
 */
export function findMirroredPattern(
  text: string,
  kinds: readonly PersonalDataKind[],
): PersonalDataKind | undefined {
  if (kinds.length === 0) return undefined;
  const digits = text.match(/\p{Nd}/gu)?.length ?? 0;
  if (digits < FEWEST_DIGITS_MIRRORED && !text.includes("@")) return undefined;
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
