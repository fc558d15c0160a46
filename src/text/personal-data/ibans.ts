import { getCountrySpecifications, isValidIBAN } from "ibantools";

import type { Span } from "../../domain/personal-data.ts";

/** Country code, check digits and possible account number, with any grouping. */
const LIKE_IBAN =
  /[A-Z]{2}[\s\p{Pd}._/]{0,2}\d[\s\p{Pd}._/]{0,2}\d(?:[\s\p{Pd}._/\p{Cf}]{0,3}[A-Z0-9]){11,30}/giu;

const countries = getCountrySpecifications();

/** International bank account numbers with a country's length and format and valid check digits (ISO 13616). */
export function findIbans(text: string): Span[] {
  const ibans: Span[] = [];
  LIKE_IBAN.lastIndex = 0;
  for (let match = LIKE_IBAN.exec(text); match !== null; match = LIKE_IBAN.exec(text)) {
    const end = ibanEnd(text, match.index);
    if (end !== undefined) ibans.push({ start: match.index, end });
    LIKE_IBAN.lastIndex = end ?? match.index + 1;
  }
  return ibans;
}

/** End of an IBAN that starts at `start`, by its country's length. */
function ibanEnd(text: string, start: number): number | undefined {
  const length = countries[text.slice(start, start + 2).toUpperCase()]?.chars ?? 0;
  let iban = "";
  let end = start;
  while (iban.length < length && end < text.length) {
    const sign = text[end++]!;
    if (/[A-Z0-9]/i.test(sign)) iban += sign;
  }
  return length > 0 && isValidIBAN(iban.toUpperCase()) && !/^\d/.test(text.slice(end)) ? end : undefined;
}
