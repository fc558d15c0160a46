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

/** `14:05`, `2:05 PM`: in the visitor's language. */
export function timeOf(at: number, language: string): string {
  return new Intl.DateTimeFormat(language, { timeStyle: "short" }).format(at);
}
