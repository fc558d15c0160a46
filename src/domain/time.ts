/** Milliseconds since 1970-01-01T00:00:00Z. */
export type EpochMs = number;

export const HOUR_MS = 60 * 60 * 1000;
export const DAY_MS = 24 * HOUR_MS;

/** The clock; `Date.now` outside tests. */
export type Now = () => EpochMs;

/** A UTC calendar month, `2026-11`. */
export type Month = string;

export function monthOf(at: EpochMs): Month {
  return new Date(at).toISOString().slice(0, 7);
}

/** The first instant of the UTC month after the one that holds `at`. */
export function startOfNextMonth(at: EpochMs): EpochMs {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
const DURATION = /^(\d{1,6})([mhdw])$/;

/** Milliseconds of a duration as `90d`, `12h`, `2w` or `30m`; undefined if the text is not a duration. */
export function parseDuration(text: string): number | undefined {
  const duration = DURATION.exec(text);
  return duration ? Number(duration[1]) * UNIT_MS[duration[2] as keyof typeof UNIT_MS] : undefined;
}
