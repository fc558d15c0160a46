const DAY_MS = 86_400_000;

/** Lifetimes of a token or key: days, or "" for no end. */
export const EXPIRIES: readonly (readonly [days: string, says: string])[] = [
  ["", "until it is revoked"],
  ["30", "30 days"],
  ["90", "90 days"],
  ["365", "a year"],
];

/** The instant of expiry; undefined: never. */
export function expiryOf(days: string, now: number): number | undefined {
  return days === "" ? undefined : now + Number(days) * DAY_MS;
}
