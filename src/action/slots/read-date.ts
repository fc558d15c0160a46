import type { Chrono } from "chrono-node";
import * as german from "chrono-node/de";
import * as english from "chrono-node/en";
import * as spanish from "chrono-node/es";
import * as french from "chrono-node/fr";
import * as italian from "chrono-node/it";
import * as japanese from "chrono-node/ja";
import * as dutch from "chrono-node/nl";
import * as portuguese from "chrono-node/pt";
import * as chinese from "chrono-node/zh";

import { wordValue } from "./read-number.ts";
import { type ReadingContext, type ReadSlot, regionOf, type SlotReading } from "./slot-reading.ts";

/** Turkish, Polish and Arabic dates are only read in figures, because chrono does not support these languages. */
const PARSERS: Readonly<Record<string, Chrono>> = {
  en: english.casual,
  de: german.casual,
  es: spanish.casual,
  fr: french.casual,
  it: italian.casual,
  ja: japanese.casual,
  nl: dutch.casual,
  pt: portuguese.casual,
  zh: chinese.casual,
};

/** Regions that write the month before the day (CLDR, short dates). */
const MONTH_FIRST = new Set(["US", "PH", "FM", "GU", "PW", "AS", "MP", "VI", "PR"]);

const ISO = /(?<![\d-])(\d{4})-(\d\d)-(\d\d)(?![\d-])/gu;
const FAR_EAST = /(?<!\d)(\d{4})年(\d{1,2})月(\d{1,2})日/gu;
const FIGURES = /(?<![\d./-])(\d{1,2})\s?([./-])\s?(\d{1,2})(?:\s?\2\s?(\d{4}|\d\d)?)?(?![\d/-]|\.\d)/gu;

interface Day {
  year: number;
  month: number;
  day: number;
}

/** Dates in ISO 8601, in figures, and in words. */
export const readDate: ReadSlot = (text, _slot, context) => {
  const found = [...isoDays(text), ...daysInFigures(text, context)];
  return found.length > 0 ? found : daysInWords(text, context);
};

function isoDays(text: string): SlotReading[] {
  return [...text.matchAll(ISO), ...text.matchAll(FAR_EAST)].flatMap(([, year, month, day]) => {
    const value = isoOf({ year: Number(year), month: Number(month), day: Number(day) });
    return value === undefined ? [] : [{ value }];
  });
}

function daysInFigures(text: string, context: ReadingContext): SlotReading[] {
  const isMonthFirst = MONTH_FIRST.has(regionOf(context.language) ?? "");
  return [...text.replaceAll(ISO, " ").matchAll(FIGURES)].flatMap(([, first, sign, second, year]) => {
    if (year === undefined && (sign === "-" || !context.isAsked)) return [];
    const [one, other] = [Number(first), Number(second)];
    const [day, month] = isMonthFirst ? [other, one] : [one, other];
    const own = dayIn({ day, month }, year, context);
    const turned = dayIn({ day: month, month: day }, year, context);
    const value = own ?? turned;
    if (value === undefined) return [];
    const isDoubtful = own !== undefined && turned !== undefined && own !== turned && sign !== ".";
    return [
      { value, ...(isDoubtful && ({ doubt: isOrderKnown(context.language) ? "tell" : "ask" } as const)) },
    ];
  });
}

/** English is written in either order; only a tag with a region determines which. */
function isOrderKnown(language: string): boolean {
  return !/^en(?:-|$)/i.test(language) || regionOf(language) !== undefined;
}

/** Without a year, the next such date. */
function dayIn(
  { day, month }: Omit<Day, "year">,
  year: string | undefined,
  context: ReadingContext,
): string | undefined {
  const today = todayIn(context);
  if (year !== undefined)
    return isoOf({ day, month, year: year.length === 2 ? 2000 + Number(year) : Number(year) });
  const isPast = month < today.month || (month === today.month && day < today.day);
  return isoOf({ day, month, year: today.year + (isPast ? 1 : 0) });
}

function daysInWords(text: string, context: ReadingContext): SlotReading[] {
  return parsed(text.replaceAll(FIGURES, " "), context).flatMap(({ start }) => {
    if (!start.isCertain("day") && !start.isCertain("weekday")) return [];
    const [year, month, day] = (["year", "month", "day"] as const).map((part) => start.get(part));
    const value = isoOf({ year: year!, month: month!, day: day! });
    return value === undefined ? [] : [{ value }];
  });
}

/** Dates found by chrono in the bot's time zone, future ones preferred. */
function parsed(text: string, { language, timeZone, now }: ReadingContext) {
  const own = PARSERS[language.toLowerCase().split("-")[0]!];
  const reference = { instant: new Date(now), timezone: offsetOf(timeZone, now) };
  for (const parser of new Set([own ?? english.casual, english.casual])) {
    const found = parser.parse(text, reference, { forwardDate: true });
    if (found.length > 0) return found;
  }
  return [];
}

/** Offset from UTC at an instant, in minutes. */
function offsetOf(timeZone: string, at: number): number {
  const parts = new Intl.DateTimeFormat("en", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  }).formatToParts(at);
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  const shown = Date.UTC(of("year"), of("month") - 1, of("day"), of("hour"), of("minute"));
  return Math.round((shown - at) / 60_000);
}

function todayIn({ timeZone, now }: ReadingContext): Day {
  const local = new Date(now + offsetOf(timeZone, now) * 60_000);
  return { year: local.getUTCFullYear(), month: local.getUTCMonth() + 1, day: local.getUTCDate() };
}

/** The date in ISO 8601; undefined if it does not exist. */
function isoOf({ year, month, day }: Day): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  const isThere =
    date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 1900 && year < 2200;
  return isThere ? date.toISOString().slice(0, 10) : undefined;
}

const CLOCK =
  /(?<![\d.,:/-])([01]?\d|2[0-4])(?:\s?[:.h]\s?([0-5]\d))?\s?(uhr|h|o'?clock|heures?|horas?|ore|uur)?\s?([ap]\.?m\.?)?(?![\p{L}\d]|[.,:/-]\d)/giu;

/** Half an hour before the named hour ("halb drei", 2:30); `HALF_BEHIND`: after it ("half past two"). */
const HALF_BEFORE = /\b(?:halb|half)\s+([\p{L}]+|\d{1,2})\b/iu;
const HALF_BEHIND =
  /(?:\bhalf\s+past\s+([\p{L}]+|\d{1,2})|([\p{L}]+|\d{1,2})\s+(?:y media|et demie|e mezz[ao]|e meia))\b/iu;
const NOON = /\b(?:noon|midday|mittags?|mediod[ií]a|midi|mezzogiorno|meio-dia)\b/iu;

/** Times of day, as `15:30`. A bare hour counts only if a time was asked for. */
export const readTime: ReadSlot = (text, _slot, context) => {
  const half = halfIn(text, context.language);
  if (half !== undefined) return [{ value: half }];
  if (NOON.test(text)) return [{ value: "12:00" }];
  const times = [...text.matchAll(CLOCK)].flatMap(([, hour, minute, word, half12]) => {
    if (minute === undefined && word === undefined && half12 === undefined && !context.isAsked) return [];
    return timeOf(Number(hour), Number(minute ?? 0), half12?.[0]?.toLowerCase()) ?? [];
  });
  return times.map((value) => ({ value }));
};

function timeOf(hour: number, minute: number, half: string | undefined): string | undefined {
  if (half !== undefined && (hour < 1 || hour > 12)) return undefined;
  const of24 = half === undefined ? hour % 24 : (hour % 12) + (half === "p" ? 12 : 0);
  return `${String(of24).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
}

function halfIn(text: string, language: string): string | undefined {
  const behind = HALF_BEHIND.exec(text);
  const isBefore = /^(?:de|nl)\b/i.test(language) && !/half\s+past/i.test(text);
  const before = isBefore ? HALF_BEFORE.exec(text) : null;
  const named = before?.[1] ?? behind?.[1] ?? behind?.[2];
  if (named === undefined) return undefined;
  const hour = /^\d/.test(named) ? Number(named) : wordValue(named);
  if (hour < 1 || hour > 24) return undefined;
  return timeOf(before ? (hour + 23) % 24 || 12 : hour, 30, undefined);
}
