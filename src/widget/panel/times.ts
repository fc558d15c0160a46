import type { WidgetOptions } from "../loader/options.ts";

/** A script, and a country or region, behind a language. Of any other tag a browser may throw, and a page may say anything. */
const NARROWED = /^[a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|\d{3}))?$/i;

/** What times and numbers are written for: the language that the widget speaks, as the page narrows it down: `en-GB`, `14:05`. */
export function formatsOf({ locale, language }: Pick<WidgetOptions, "locale" | "language">): string {
  const tag = locale.replaceAll("_", "-");
  return NARROWED.test(tag) && language.startsWith(tag.toLowerCase().split("-")[0]!) ? tag : language;
}

const DAY_MS = 24 * 60 * 60 * 1000;

const midnight = (at: number) => new Date(at).setHours(0, 0, 0, 0);

/** What stands between two messages of different days: `Today`, `Yesterday` or the date. Before the first, only if that is not of today. */
export function dayBetween(
  before: number | undefined,
  at: number,
  language: string,
  now = Date.now(),
): string | undefined {
  const day = midnight(at);
  if (midnight(before ?? now) === day) return undefined;
  // A day on which the clock changes has an hour more, or less.
  const ago = Math.round((midnight(now) - day) / DAY_MS);
  const text =
    ago < 2
      ? new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(-ago, "day")
      : new Intl.DateTimeFormat(language, { weekday: "long", day: "numeric", month: "long" }).format(at);
  return text.charAt(0).toLocaleUpperCase(language) + text.slice(1);
}

/** `14:05`, `2:05 PM`: as is usual where the visitor is. @param language as `formatsOf` says. */
export function timeOf(at: number, language: string): string {
  return new Intl.DateTimeFormat(language, { timeStyle: "short" }).format(at);
}
