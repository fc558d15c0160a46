import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js/min";

import type { Slot, SlotType } from "../../domain/action.ts";
import { readChoice } from "../../social/read-choice.ts";
import { normaliseText } from "../../text/normalise.ts";
import { findPersonalData } from "../../text/personal-data.ts";
import { readDate, readTime } from "./read-date.ts";
import { readInteger, readMoney, readNumber } from "./read-number.ts";
import { MAX_TEXT_LENGTH, readText, wholePattern } from "./read-text.ts";
import { readYesOrNo } from "./read-yes-or-no.ts";
import { type ReadSlot, regionOf, type SlotReading } from "./slot-reading.ts";

/** An e-mail address as written. Spelled-out signs ("at", "dot") are not accepted: after a wrong guess, mail would reach another person. */
const ADDRESS = /^[^\s@<>,;:"()[\]\\]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.)+\p{L}{2,24}$/u;

const readEmail: ReadSlot = (text) =>
  (text.includes("@") ? findPersonalData(text, ["e-mail"]) : []).flatMap(({ start, end }) => {
    const value = text.slice(start, end).replaceAll(/\s/gu, "");
    return ADDRESS.test(value) ? [{ value }] : [];
  });

/** Default country of languages without a region: where most of their writers in Europe or at home live. */
const COUNTRY_OF: Readonly<Record<string, CountryCode>> = {
  de: "DE",
  en: "GB",
  es: "ES",
  fr: "FR",
  it: "IT",
  nl: "NL",
  pt: "PT",
  pl: "PL",
  tr: "TR",
  ja: "JP",
  zh: "CN",
};

function countryOf(language: string): CountryCode | undefined {
  const region = regionOf(language);
  if (region !== undefined && isSupportedCountry(region)) return region;
  return COUNTRY_OF[language.toLowerCase().split("-")[0]!];
}

/** Phone numbers in E.164. A reply may be in the format of the bot's country, or have a country code. */
const readPhone: ReadSlot = (text, _slot, { language, isAsked }) => {
  const country = countryOf(language);
  const written = findPersonalData(text, ["phone"]).map(({ start, end }) => text.slice(start, end));
  const digits = /[+(]?\d[\d\s()./-]{4,24}\d/u.exec(text)?.[0];
  const asked = isAsked && written.length === 0 && digits !== undefined ? [digits] : written;
  return asked.flatMap((number) => {
    const parsed = parsePhoneNumberFromString(number, country);
    return parsed?.isValid() ? [{ value: parsed.number }] : [];
  });
};

/** One of the choices: by its label, value or a synonym; in a reply also by its position ("the second"). */
const readOneOf: ReadSlot = (text, { choices = [] }, { language, isAsked }) => {
  const said = ` ${plain(text)} `;
  const named = choices.filter(({ value, label, synonyms = [] }) =>
    [value, ...(label === undefined ? [] : [label]), ...synonyms].some((name) => {
      const words = plain(name);
      return words !== "" && (said.includes(` ${words} `) || isUnspaced(words, said));
    }),
  );
  if (named.length > 0 || !isAsked) return named.map(({ value }) => ({ value }));
  const labels = choices.map(({ value, label }) => label ?? value);
  const choice = readChoice(text, { labels, language });
  return choice?.kind === "some" ? choice.indexes.map((index) => ({ value: choices[index]!.value })) : [];
};

const plain = (text: string): string =>
  normaliseText(text)
    .match(/[\p{L}\p{M}\p{N}]+/gu)
    ?.join(" ") ?? "";

/** Chinese and Japanese have no spaces between words. */
const isUnspaced = (words: string, said: string): boolean =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(words) && said.includes(words);

const readYesNo: ReadSlot = (text, _slot, { language, isAsked }) => {
  const says = isAsked ? readYesOrNo(text, language) : undefined;
  return says === undefined ? [] : [{ value: says === "yes" ? "true" : "false" }];
};

const READERS: Record<SlotType, ReadSlot> = {
  text: readText,
  integer: readInteger,
  number: readNumber,
  money: readMoney,
  date: readDate,
  time: readTime,
  email: readEmail,
  phone: readPhone,
  choice: readOneOf,
  yesno: readYesNo,
};

/**
 * The distinct values for a slot in a message, in the form in which they are sent; several are ambiguous. Bare numbers and a bare yes are
 * values only in a reply to the slot's question. Pure.
 */
export const readSlot: ReadSlot = (text, slot, context) => {
  const found = READERS[slot.type](text, slot, context).filter(({ value }) => isValue(value, slot));
  const seen = new Set<string>();
  return found.filter(({ value }: SlotReading) => !seen.has(value) && seen.add(value));
};

/** Whether a stored value is valid for this slot, which may differ in another version or intent. Pure. */
export function isValue(value: string, { type, pattern, choices = [] }: Slot): boolean {
  // Control characters could end a line of a request.
  if (value === "" || value.length > MAX_TEXT_LENGTH || /\p{Cc}/u.test(value)) return false;
  if (type === "choice") return choices.some((choice) => choice.value === value);
  return pattern === undefined || wholePattern(pattern).test(value);
}

/** Types that match bare numbers: without being asked for, such a number may mean something else. */
export const NEEDS_ASKING: ReadonlySet<SlotType> = new Set(["integer", "number", "yesno"]);
