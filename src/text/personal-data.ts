import type { PersonalDataKind, Span } from "../domain/personal-data.ts";
import { findCardNumbers } from "./personal-data/card-numbers.ts";
import { findEmails } from "./personal-data/e-mails.ts";
import { findIbans } from "./personal-data/ibans.ts";
import { findPhones } from "./personal-data/phones.ts";

/** Position of personal data in a text: UTF-16 code units, `end` exclusive. */
export interface PersonalData extends Span {
  kind: PersonalDataKind;
}

/** In order of precedence for overlaps: a part of an account number may look like a phone number. */
const FINDERS: Record<PersonalDataKind, (text: string) => Span[]> = {
  iban: findIbans,
  "card-number": findCardNumbers,
  "e-mail": findEmails,
  phone: findPhones,
};

const MAX_DIGITS_OF_NONE = 6;
const AT_SIGN = 0x40;
/** Arabic-Indic digits, the first non-ASCII digits in Unicode. */
const FIRST_OTHER_DIGIT = 0x06_60;

function mayHold(text: string): boolean {
  let digits = 0;
  for (let i = 0; i < text.length; i++) {
    const codeUnit = text.charCodeAt(i);
    if (codeUnit === AT_SIGN || codeUnit >= FIRST_OTHER_DIGIT) return true;
    if (codeUnit >= 0x30 && codeUnit <= 0x39 && ++digits > MAX_DIGITS_OF_NONE) return true;
  }
  return / (?:dot|punkt|punto|point|punt|ponto) |[([{<] ?(?:at|arr|aro|chi|ape)/i.test(text);
}

const overlaps = (one: Span, other: Span): boolean => one.start < other.end && other.start < one.end;

/**
 * Card numbers, IBANs, e-mail addresses and phone numbers of a text, in the order of the text; none overlaps another. Each is checked as
 * far as its form allows: check digits, a country's or issuer's lengths and prefixes. Pure; a text without digits or `@` costs next to
 * nothing.
 */
export function findPersonalData(text: string, kinds: readonly PersonalDataKind[]): PersonalData[] {
  if (kinds.length === 0 || !mayHold(text)) return [];
  const plain = withPlainSigns(text);
  const found: PersonalData[] = [];
  for (const kind of Object.keys(FINDERS) as PersonalDataKind[]) {
    if (!kinds.includes(kind)) continue;
    for (const span of FINDERS[kind](plain)) {
      if (!found.some((other) => overlaps(other, span))) found.push({ kind, ...span });
    }
  }
  return found.toSorted((left, right) => left.start - right.start);
}

const FULLWIDTH = /[\uff01-\uff5e]/g;
const FULLWIDTH_OFFSET = 0xfe_e0;
const OTHER_DIGIT = /(?![0-9])\p{Nd}/gu;
// oxlint-disable-next-line no-control-regex -- the range is ASCII
const ASCII = /^[\x00-\x7f]*$/;

/**
 * The text with fullwidth signs and digits of other scripts as ASCII, at the same positions. Digits outside the basic plane (styled ones)
 * stay as they are.
 */
function withPlainSigns(text: string): string {
  if (ASCII.test(text)) return text;
  return text
    .replaceAll(FULLWIDTH, (sign) => String.fromCharCode(sign.charCodeAt(0) - FULLWIDTH_OFFSET))
    .replaceAll(OTHER_DIGIT, (digit) => (digit.length === 1 ? String(valueOf(digit.charCodeAt(0))) : digit));
}

/** Unicode orders the ten digits of a script from zero on. */
function valueOf(codeUnit: number): number {
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCharCode(codeUnit - value - 1))) value++;
  return value;
}

/** The text with personal data replaced by their kind: "write to [e-mail]". Pure. */
export function redactText(text: string, kinds: readonly PersonalDataKind[]): string {
  let redacted = "";
  let kept = 0;
  for (const { kind, start, end } of findPersonalData(text, kinds)) {
    redacted += `${text.slice(kept, start)}[${kind}]`;
    kept = end;
  }
  return kept === 0 ? text : redacted + text.slice(kept);
}
