import cardTypesFor from "credit-card-type";

import type { Span } from "../../domain/personal-data.ts";

/** A run of digits with short separators. A comma counts only without a space, because lists of numbers have one. */
const DIGIT_RUN = /\d(?:(?:[\s\p{Cf}]{1,3}|\s?[\p{Pd}._/·•|*:,]\s?|)\d){12,}/gu;
const COMMA_AND_SPACE = /,\s|\s,/;
const SHORTEST = 13;
const LONGEST = 19;
/** Digits of expiry date and security code after the number. */
const MAX_DECIMALS = 7;

/** A group of digits with the separator before it. */
interface Group extends Span {
  digits: string;
  before: string;
}

/** Card numbers of 13 to 19 digits, with an issuer's prefix and length and a valid check digit (ISO/IEC 7812, Luhn). */
export function findCardNumbers(text: string): Span[] {
  const runs = [...text.matchAll(DIGIT_RUN)];
  const cards = runs.flatMap(({ 0: run, index }) => cardsIn(groupsOf(run, index)));
  return cards.filter(({ start }) => text[start - 1] !== "+");
}

function groupsOf(run: string, offset: number): Group[] {
  let end = 0;
  return [...run.matchAll(/\d+/g)].map(({ 0: digits, index }) => {
    const before = run.slice(end, index);
    end = index + digits.length;
    return { digits, before, start: offset + index, end: offset + end };
  });
}

function cardsIn(groups: readonly Group[]): Span[] {
  const cards: Span[] = [];
  for (let from = 0; from < groups.length;) {
    const to = cardEnd(groups, from);
    if (to > from) cards.push({ start: groups[from]!.start, end: groups[to - 1]!.end });
    from = Math.max(to, from + 1);
  }
  return cards;
}

/** The group after which the longest card number ends that starts with group `from`; `from` if there is none. */
function cardEnd(groups: readonly Group[], from: number): number {
  let found = from;
  let digits = "";
  for (let to = from; to < groups.length && digits.length < LONGEST; to++) {
    digits += groups[to]!.digits;
    if (isCardNumber(digits) && isWrittenAsOne(groups, from, to + 1)) found = to + 1;
  }
  return found;
}

/**
 * Whether groups can be one number. Long groups always can. Single digits or pairs may be a list of sizes or prices, so they count only if
 * there are no others and all separators are equal.
 */
function isWrittenAsOne(groups: readonly Group[], from: number, to: number): boolean {
  const inside = groups.slice(from, to);
  const signs = inside.slice(1).map(({ before }) => before);
  if (signs.some((sign) => COMMA_AND_SPACE.test(sign))) return false;
  if (inside.every(({ digits }, index) => digits.length >= (index === 0 ? 4 : 3))) return true;
  const behind = groups.slice(to).reduce((sum, { digits }) => sum + digits.length, 0);
  return from === 0 && behind <= MAX_DECIMALS && new Set(signs).size === 1;
}

function isCardNumber(digits: string): boolean {
  if (digits.length < SHORTEST || digits.length > LONGEST || !hasCheckDigit(digits)) return false;
  return cardTypesFor(digits).some(({ lengths }) => lengths.includes(digits.length));
}

function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charCodeAt(digits.length - 1 - i) - 0x30;
    const weighted = i % 2 === 0 ? digit : digit * 2;
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return sum % 10 === 0;
}
