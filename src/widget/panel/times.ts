import type { WidgetOptions } from "../loader/options.ts";

/** A language with at most a script and a region. `Intl` throws on malformed tags, and pages may contain any. */
const NARROWED = /^[a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|\d{3}))?$/i;

/** Locale of times and numbers: the widget's language with the region that the page names, as in `en-GB`, `14:05`. */
export function formatsOf({ locale, language }: Pick<WidgetOptions, "locale" | "language">): string {
  const tag = locale.replaceAll("_", "-");
  return NARROWED.test(tag) && language.startsWith(tag.toLowerCase().split("-")[0]!) ? tag : language;
}

const DAY_MS = 24 * 60 * 60 * 1000;

const midnight = (at: number) => new Date(at).setHours(0, 0, 0, 0);

/** Heading between messages of different days: `Today`, `Yesterday` or the date. Before the first message only if it is not of today. */
export function dayBetween(
  before: number | undefined,
  at: number,
  language: string,
  now = Date.now(),
): string | undefined {
  const day = midnight(at);
  if (midnight(before ?? now) === day) return undefined;
  // A day on which the clock changes has 23 or 25 hours.
  const ago = Math.round((midnight(now) - day) / DAY_MS);
  const text =
    ago < 2
      ? new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(-ago, "day")
      : new Intl.DateTimeFormat(language, { weekday: "long", day: "numeric", month: "long" }).format(at);
  return text.charAt(0).toLocaleUpperCase(language) + text.slice(1);
}

/** Formats a time of day: `14:05`, `2:05 PM`. @param language from `formatsOf`. */
export function timeOf(at: number, language: string): string {
  return new Intl.DateTimeFormat(language, { timeStyle: "short" }).format(at);
}
