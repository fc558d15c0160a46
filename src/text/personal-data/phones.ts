import { type CountryCode, parsePhoneNumberFromString } from "libphonenumber-js/min";

import type { Span } from "../../domain/personal-data.ts";

/** A national style of phone numbers. */
interface PhoneStyle {
  pattern: RegExp;
  countries: readonly CountryCode[];
  /** Whether it counts only after words for a phone number, because order numbers look the same. */
  needsWord?: boolean;
}

const GAP = String.raw`[\s\p{Pd}./\p{Cf}]{0,2}`;
/** Excludes groups of longer numbers, such as account numbers. */
const ALONE = String.raw`(?<![\p{L}\p{N}+]|\d[.,:]|\d{3}[\s\p{Pd}])`;
const ENDS = String.raw`(?![\p{N}]|[.,:]\d|[\s\p{Pd}]\d{3})`;

const style = (pattern: string, countries: readonly CountryCode[], needsWord = false): PhoneStyle => ({
  pattern: new RegExp(pattern, "gu"),
  countries,
  needsWord,
});

/** International numbers contain their country code. National ones are recognised in the styles of the seven languages' countries. */
const STYLES: readonly PhoneStyle[] = [
  style(String.raw`(?<![\p{L}\p{N}+])\(?\+\(?\s?\d(?:[\s\p{Pd}./()\p{Cf}]{0,3}\d){6,14}(?!\p{N})`, []),
  style(`${ALONE}00${GAP}[1-9](?:${GAP}[()]?\\d){7,13}${ENDS}`, []),
  style(String.raw`${ALONE}(?:1[\s\p{Pd}.]?)?\(\d{3}\)\s?\d{3}[\s\p{Pd}.]?\d{4}${ENDS}`, ["US"]),
  style(String.raw`${ALONE}(?:1[\s\p{Pd}.])?\d{3}([\s\p{Pd}.])\d{3}\1\d{4}${ENDS}`, ["US"]),
  style(String.raw`${ALONE}\(?0(?!0)\d(?:${GAP}[()]?\)?\s?\d){7,10}${ENDS}`, [
    "GB",
    "DE",
    "FR",
    "IT",
    "NL",
    "AT",
    "CH",
    "BE",
  ]),
  style(String.raw`${ALONE}[236789]\d\d([\s\p{Pd}.])\d{3}\1\d{3}${ENDS}`, ["ES", "PT"]),
  style(String.raw`${ALONE}[6789]\d\d([\s\p{Pd}.])\d\d\1\d\d\1\d\d${ENDS}`, ["ES"]),
  style(String.raw`${ALONE}3\d\d([\s\p{Pd}.])\d{3}\1\d{4}${ENDS}`, ["IT"]),
  style(String.raw`${ALONE}\(\d\d\)\s?9?\d{4}[\s\p{Pd}.]?\d{4}${ENDS}`, ["BR"]),
  style(`${ALONE}[1-9](?:${GAP}\\d){8,10}${ENDS}`, ["US", "ES", "PT", "IT", "BR"], true),
];

const PHONE_WORD =
  /(?:tel(?:e[fp]h?on\w*|éf\w*)?|phone|mobile?|cell|handy|móvil|movil|cellulare|portable|gsm|whats\s?app|sms|text|call|ring|reach|dial|ruf\w*|erreich\w*|appel\w*|joindre|llam\w*|chiam\w*|lig\w*|bel(?:len)?)\b[^\d\n]{0,30}$/iu;
const OTHER_NUMBER =
  /(?:#|order|parcel|track\w*|invoice|ticket|customer|account|article|item|ref\w*|isbn|ean|version|bestell\w*|auftrag\w*|rechnung\w*|kunden\w*|artikel\w*|sendung\w*|commande|facture|pedido|factura|ordine|fattura|ordernummer|factuur|encomenda|fatura)[^\d\n]{0,20}$/iu;
const LOOKED_BACK = 40;
const DATE = /^\d{1,2}[./-]\d{1,2}[./-](?:19|20)?\d\d(?!\d)/;
/** Limits the cost for a text full of numbers: after this number, every match counts without validation. */
const MAX_ASKED = 100;

/**
 * Phone numbers. Candidates are validated by libphonenumber for the countries with their style. Order numbers and dates do not count.
 * Ungrouped digits count after words for a phone number, or if they start with 0 and are valid.
 */
export function findPhones(text: string): Span[] {
  const phones: Span[] = [];
  let asked = 0;
  for (const { pattern, countries, needsWord } of STYLES) {
    for (const { 0: number, index } of text.matchAll(pattern)) {
      if (DATE.test(number) || !isMeantAsPhone(text, index, number, needsWord === true)) continue;
      if (asked++ < MAX_ASKED && !isValidIn(countries, number)) continue;
      phones.push({ start: index, end: index + number.length });
    }
  }
  return phones;
}

function isMeantAsPhone(text: string, start: number, number: string, needsWord: boolean): boolean {
  const before = text.slice(Math.max(0, start - LOOKED_BACK), start);
  if (PHONE_WORD.test(before)) return true;
  return !needsWord && (number.includes("+") || !OTHER_NUMBER.test(before));
}

function isValidIn(countries: readonly CountryCode[], number: string): boolean {
  if (countries.length === 0) {
    const international = `+${number.replaceAll(/\D/g, "").replace(/^00/, "")}`;
    return parsePhoneNumberFromString(international)?.isValid() === true;
  }
  return countries.some((country) => parsePhoneNumberFromString(number, country)?.isValid() === true);
}
