const DAY_MS = 86_400_000;

/** How long a token or a key is valid, as it is offered: days, or for good. */
export const EXPIRIES: readonly (readonly [days: string, says: string])[] = [
  ["", "until it is revoked"],
  ["30", "30 days"],
  ["90", "90 days"],
  ["365", "a year"],
];

/** When it ends; undefined: never. */
export function expiryOf(days: string, now: number): number | undefined {
  return days === "" ? undefined : now + Number(days) * DAY_MS;
}
