/** Instants are shown in the operator's own zone, whose name stands beside them or at the head of their column. */
const partsIn = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat("en-GB", options);
  return (at: number): Record<string, string> =>
    Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
};

const LOCAL = {
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
  timeZoneName: "short",
} as const;
const local = partsIn(LOCAL);
const utc = partsIn({ ...LOCAL, timeZone: "UTC" });

/** Name of the operator's zone at an instant, as `CET`. */
export const zone = (at: number = Date.now()): string => local(at).timeZoneName!;

/** `14:02`. */
export function clock(at: number): string {
  const { hour, minute } = local(at);
  return `${hour}:${minute}`;
}

/** `Sun 22 Nov, 14:02`; with the year where it is another one. */
export function moment(at: number): string {
  const { weekday, day, month } = local(at);
  return `${weekday} ${day} ${month}${yearBeside(at)}, ${clock(at)}`;
}

function yearBeside(at: number): string {
  const { year } = local(at);
  return year === local(Date.now()).year ? "" : ` ${year}`;
}

/** `14:02` of today, else `Sat 21 Nov, 14:02`. */
export function shortMoment(at: number): string {
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  return isToday ? clock(at) : moment(at);
}

/** Everything: `Sun 22 Nov 2026, 14:02:33 CET`. */
export function fullMoment(at: number): string {
  const { weekday, day, month, year, hour, minute, second, timeZoneName } = local(at);
  return `${weekday} ${day} ${month} ${year}, ${hour}:${minute}:${second} ${timeZoneName}`;
}

/** `Sun 22 Nov`, of a UTC day. */
export function utcDay(at: number): string {
  const { weekday, day, month } = utc(at);
  return `${weekday} ${day} ${month}`;
}

/** `22 Nov`, of a UTC day. */
export function utcShortDay(at: number): string {
  const { day, month } = utc(at);
  return `${day} ${month}`;
}

/** `14:00`, of a UTC hour. */
export function utcHour(at: number): string {
  const { hour, minute } = utc(at);
  return `${hour}:${minute}`;
}

const STEPS: readonly (readonly [seconds: number, unit: Intl.RelativeTimeFormatUnit])[] = [
  [60, "second"],
  [3600, "minute"],
  [86_400, "hour"],
  [86_400 * 45, "day"],
  [86_400 * 550, "month"],
  [Infinity, "year"],
];
const SECONDS_OF = { second: 1, minute: 60, hour: 3600, day: 86_400, month: 86_400 * 30, year: 86_400 * 365 };
const RELATIVE = new Intl.RelativeTimeFormat("en-GB", { numeric: "auto" });

/** `3 minutes ago`, `yesterday`, `in 2 days`. */
export function ago(at: number, now: number = Date.now()): string {
  const seconds = (at - now) / 1000;
  if (Math.abs(seconds) < 10) return "just now";
  const [, unit] = STEPS.find(([below]) => Math.abs(seconds) < below)!;
  return RELATIVE.format(Math.round(seconds / SECONDS_OF[unit as keyof typeof SECONDS_OF]), unit);
}
