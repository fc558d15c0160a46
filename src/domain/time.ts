/** Milliseconds since 1970-01-01T00:00:00Z. */
export type EpochMs = number;

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
