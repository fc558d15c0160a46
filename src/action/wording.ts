import type { SlotType } from "../domain/action.ts";
import type { Format } from "./template.ts";

/** Maximum number of list items in an answer. Chosen by hand. */
export const MAX_ITEMS = 10;
/** Maximum length of a shown text, in UTF-16 code units; longer ones do not fit a chat. Chosen by hand. */
const MAX_VALUE_LENGTH = 1000;

/** Locale and time zone for formatting values. */
export interface Wording {
  /** A BCP 47 tag. */
  language: string;
  timeZone: string;
}

/**
 * The locale for a language. `en` without a region becomes `en-GB`: `Intl` takes it for US English, with the month before the day. Pure.
 */
export function localeOf(language: string): string {
  return language.toLowerCase() === "en" ? "en-GB" : language;
}

/**
 * A value of a response, formatted for visitors; undefined if it does not fit the format, is an object, or is too long for a chat. The
 * result is plain text and must be escaped for display. Pure.
 */
export function inWords(value: unknown, format: Format | undefined, wording: Wording): string | undefined {
  if (format === undefined) return plainWords(value);
  return format.kind === "list" ? undefined : WORDED[format.kind](value, wording);
}

function plainWords(value: unknown): string | undefined {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value !== "string" || value.length > MAX_VALUE_LENGTH) return undefined;
  return value.toWellFormed();
}

/** A visitor's value as it is shown for confirmation, with dates, times and numbers formatted for the locale. Pure. */
export function slotInWords(
  type: SlotType,
  value: string,
  format: Format | undefined,
  wording: Wording,
): string {
  if (format !== undefined) return inWords(value, format, wording) ?? value;
  if (type === "date") return dateInWords(value, wording) ?? value;
  if (type === "time") return timeInWords(value, wording) ?? value;
  if (type === "number" || type === "money") return inWords(value, { kind: type }, wording) ?? value;
  return value;
}

const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;

/** The start of a day in UTC; undefined if the month has no such day, which `Date` would take for one of the next month. */
function dayOf(day: string): number | undefined {
  const at = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day) ? at : undefined;
}

/** "Tuesday, 3 March"; with the year if it is not the current one. */
function dateInWords(value: unknown, { language, timeZone }: Wording): string | undefined {
  const day = typeof value === "string" ? DAY.exec(value) : null;
  const at = day ? dayOf(day[0]) : instantOf(value);
  if (at === undefined) return undefined;
  // A date has no time zone; an instant has the bot's.
  const zone = day ? "UTC" : timeZone;
  const locale = localeOf(language);
  const yearOf = (instant: number, timeZoneOfYear: string) =>
    new Intl.DateTimeFormat("en", { year: "numeric", timeZone: timeZoneOfYear }).format(instant);
  const isThisYear = yearOf(at, zone) === yearOf(Date.now(), timeZone);
  const text = new Intl.DateTimeFormat(locale, {
    weekday: "long",
    day: "numeric",
    month: "long",
    ...(!isThisYear && { year: "numeric" }),
    timeZone: zone,
  }).format(at);
  // CLDR's en-GB has no comma after the weekday (“Tuesday 3 March”); one is added, as it is easier to read.
  return locale === "en-GB" ? text.replace(/^(\p{L}+),? /u, "$1, ") : text;
}

function timeInWords(value: unknown, { language, timeZone }: Wording): string | undefined {
  const clock = typeof value === "string" ? /^([01]\d|2[0-3]):([0-5]\d)(?::\d\d)?$/.exec(value) : null;
  const at = clock ? Date.UTC(2000, 0, 1, Number(clock[1]), Number(clock[2])) : instantOf(value);
  if (at === undefined) return undefined;
  const zone = clock ? "UTC" : timeZone;
  return new Intl.DateTimeFormat(localeOf(language), {
    hour: "numeric",
    minute: "2-digit",
    timeZone: zone,
  }).format(at);
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/;
/** Bound between Unix time in seconds (smaller until about the year 5138) and in milliseconds (larger since March 1973). */
const MILLISECONDS_FROM = 1e11;

/** An ISO 8601 instant with its offset, or Unix time in seconds or milliseconds. */
function instantOf(value: unknown): number | undefined {
  // 8.64e15 ms is the latest instant that a `Date` can hold.
  if (typeof value === "number" && Number.isFinite(value) && value > 0 && value < 8.64e15) {
    return value < MILLISECONDS_FROM ? value * 1000 : value;
  }
  if (typeof value !== "string" || !INSTANT.test(value)) return undefined;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : at;
}

/** Up to 15 digits before the point: a double holds these exactly. */
const DECIMAL = /^-?\d{1,15}(?:\.\d{1,10})?$/;

function decimalOf(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  return typeof value === "string" && DECIMAL.test(value) ? Number(value) : undefined;
}

function numberInWords(value: unknown, { language }: Wording): string | undefined {
  const number = decimalOf(value);
  return number === undefined ? undefined : new Intl.NumberFormat(localeOf(language)).format(number);
}

/** `12.5`, `12.50 EUR`, `{amount, currency}`, or `{value, currency}`. */
function moneyInWords(value: unknown, { language }: Wording): string | undefined {
  const [amount, currency] = moneyOf(value);
  const number = decimalOf(amount);
  if (number === undefined) return undefined;
  const places = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  if (currency === undefined) return new Intl.NumberFormat(localeOf(language), places).format(number);
  if (typeof currency !== "string" || !/^[A-Z]{3}$/.test(currency)) return undefined;
  return new Intl.NumberFormat(localeOf(language), { style: "currency", currency }).format(number);
}

function moneyOf(value: unknown): [amount: unknown, currency?: unknown] {
  if (typeof value === "string") return value.split(" ", 2) as [string, string?];
  if (typeof value !== "object" || value === null) return [value];
  const { amount, value: other, currency } = value as Record<string, unknown>;
  return [amount ?? other, currency];
}

const WORDED: Record<
  Exclude<Format["kind"], "list">,
  (value: unknown, wording: Wording) => string | undefined
> = {
  date: dateInWords,
  time: timeInWords,
  number: numberInWords,
  money: moneyInWords,
};
