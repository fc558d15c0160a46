import type { HandoffSettings } from "../../domain/handoff.ts";

type Hours = NonNullable<HandoffSettings["hours"]>;

const DAYS = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"];
const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
const WEEK_MINUTES = 7 * DAY_MINUTES;

/** An interval in minutes since Monday, 00:00. */
interface Opening {
  from: number;
  to: number;
}

function minutesOf(time: string): number {
  const [hour, minute] = time.split(":").map(Number) as [number, number];
  return hour * 60 + minute;
}

/** Parses `Mo-Fr 09:00-17:30` (OPENING_PATTERN); `Sa-Mo` includes the end of the week. */
function parseOpening(text: string): Opening[] {
  const [days, times] = text.split(" ") as [string, string];
  const [first, last] = days.split("-").map((day) => DAYS.indexOf(day)) as [number, number?];
  const [from, to] = times.split("-").map(minutesOf) as [number, number];
  const count = last === undefined ? 1 : ((last - first + 7) % 7) + 1;
  return Array.from({ length: count }, (_, at) => {
    const midnight = ((first + at) % 7) * DAY_MINUTES;
    return { from: midnight + from, to: midnight + to };
  });
}

/** The minute of the week in a time zone. */
function weekMinute(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat("en", {
    timeZone,
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).formatToParts(at);
  const of = (type: string) => parts.find((part) => part.type === type)!.value;
  return DAYS.indexOf(of("weekday").slice(0, 2)) * DAY_MINUTES + minutesOf(`${of("hour")}:${of("minute")}`);
}

/** Minutes from one minute of the week until the next occurrence of another. */
const ahead = (from: number, to: number) => (to - from + WEEK_MINUTES) % WEEK_MINUTES;

/** The next opening (milliseconds since 1970); undefined within opening hours. */
export function nextOpening({ timezone, open }: Hours, now: number): number | undefined {
  const openings = open.flatMap(parseOpening).filter(({ from, to }) => from < to);
  const minute = weekMinute(now, timezone);
  if (openings.some(({ from, to }) => from <= minute && minute < to) || openings.length === 0)
    return undefined;
  const starts = openings.map(({ from }) => from);
  const next = starts.toSorted((a, b) => ahead(minute, a) - ahead(minute, b))[0]!;
  const at = Math.floor(now / MINUTE_MS) * MINUTE_MS + ahead(minute, next) * MINUTE_MS;
  // A change of the clock before then shifts the result by an hour.
  const off = ahead(next, weekMinute(at, timezone));
  return at - (off > WEEK_MINUTES / 2 ? off - WEEK_MINUTES : off) * MINUTE_MS;
}
