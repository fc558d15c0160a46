import type { HandoffSettings } from "../../domain/handoff.ts";

type Hours = NonNullable<HandoffSettings["hours"]>;

const DAYS = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"];
const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
const WEEK_MINUTES = 7 * DAY_MINUTES;

/** Minutes since the midnight before Monday. */
interface Opening {
  from: number;
  to: number;
}

function minutesOf(time: string): number {
  const [hour, minute] = time.split(":").map(Number) as [number, number];
  return hour * 60 + minute;
}

/** `Mo-Fr 09:00-17:30`, as OPENING_PATTERN has it; `Sa-Mo` goes over the end of the week. */
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

/** The minute of the week that the clocks of a time zone show. */
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

/** Minutes from one minute of the week until the next time it is the other. */
const ahead = (from: number, to: number) => (to - from + WEEK_MINUTES) % WEEK_MINUTES;

/** When somebody is there again (milliseconds since 1970); undefined while somebody is. */
export function nextOpening({ timezone, open }: Hours, now: number): number | undefined {
  const openings = open.flatMap(parseOpening).filter(({ from, to }) => from < to);
  const minute = weekMinute(now, timezone);
  if (openings.some(({ from, to }) => from <= minute && minute < to) || openings.length === 0)
    return undefined;
  const starts = openings.map(({ from }) => from);
  const next = starts.toSorted((a, b) => ahead(minute, a) - ahead(minute, b))[0]!;
  const at = Math.floor(now / MINUTE_MS) * MINUTE_MS + ahead(minute, next) * MINUTE_MS;
  // Where the clocks change before then, they show an hour more or less than was counted.
  const off = ahead(next, weekMinute(at, timezone));
  return at - (off > WEEK_MINUTES / 2 ? off - WEEK_MINUTES : off) * MINUTE_MS;
}
