/** Whether browsers know a time zone of this name. Offsets such as `+02:00` are refused, because older browsers do not know them. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return Intl.DateTimeFormat("en", { timeZone: name }) !== undefined;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Whether the end of an opening, such as `Mo-Fr 09:00-17:30`, is after its beginning. @param opening as OPENING_PATTERN has it. */
export function endsAfterItBegins(opening: string): boolean {
  const [from, to] = opening.slice(-"00:00-00:00".length).split("-") as [string, string];
  return from < to;
}

/** Days as widgets know them, from Monday. */
const DAYS = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"] as const;

/**
 * An opening with its days as widgets know them; undefined if these are neither widget abbreviations nor days in the language.
 *
 * @param opening as OPENING_PATTERN has it
 */
export function plainOpening(opening: string, language: string): string | undefined {
  const [days = "", times = ""] = opening.split(" ");
  const named = days.split("-").map((name) => dayOf(name, language));
  return named.includes(undefined) ? undefined : `${named.join("-")} ${times}`;
}

/** A day by the widget's abbreviation, or in the language by its name or an unambiguous beginning ("lun", "Donnerst."). */
function dayOf(name: string, language: string): string | undefined {
  const written = spelling(name);
  const plain = DAYS.find((day) => day.toLowerCase() === written);
  if (plain !== undefined) return plain;
  const [short, long] = [daysIn(language, "short"), daysIn(language, "long")];
  const exact = DAYS.filter((_, at) => short[at] === written || long[at] === written);
  const begun = DAYS.filter((_, at) => written !== "" && long[at]!.startsWith(written));
  const [found, ...others] = exact.length > 0 ? exact : begun;
  return others.length === 0 ? found : undefined;
}

function daysIn(language: string, weekday: "short" | "long"): string[] {
  const format = new Intl.DateTimeFormat(language, { weekday, timeZone: "UTC" });
  // 1 January 2024 was a Monday.
  return DAYS.map((_, at) => spelling(format.format(Date.UTC(2024, 0, 1 + at))));
}

const spelling = (name: string): string =>
  name
    .normalize("NFD")
    .replaceAll(/[\p{M}.]/gu, "")
    .toLowerCase();

/** Hours that a widget can reckon with: without a time zone that there is, and days that it knows, it would fail. */
export function usableHours<Hours extends { timezone: string; open: readonly string[] }>(
  hours: Hours | undefined,
  language: string,
): (Hours & { open: string[] }) | undefined {
  if (!hours || !isTimeZone(hours.timezone)) return undefined;
  const open = hours.open.flatMap((opening) => plainOpening(opening, language) ?? []);
  return open.length === hours.open.length ? { ...hours, open } : undefined;
}
