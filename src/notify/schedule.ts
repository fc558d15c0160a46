import type { EpochMs } from "../domain/time.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Pauses before the next try, as the Standard Webhooks specification suggests: 75 hours in all. */
const PAUSES_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

/** When to try again after so many tries; undefined: no more. Spread by up to a tenth, so that not all come back at once. Pure. */
export function nextTryAt(attempts: number, now: EpochMs, random: number): EpochMs | undefined {
  const pause = PAUSES_MS[attempts - 1];
  return pause === undefined ? undefined : now + Math.round(pause * (1 + random / 10));
}

/** Letters that an address gets as they come; more follow at a pace: twenty in an hour at most, as a mail server would take more for spam. */
const LETTERS_AT_ONCE = 5;
const LETTER_EVERY_MS = 4 * MINUTE_MS;
/** For so long letters count. */
export const LETTERS_COUNT_MS = HOUR_MS;

/** When an address may get its next letter: what waits until then is told in one. @param sentAt when it got those of the last hour. Pure. */
export function nextLetterAt(sentAt: readonly EpochMs[], now: EpochMs): EpochMs {
  return sentAt.length < LETTERS_AT_ONCE ? now : Math.max(now, Math.max(...sentAt) + LETTER_EVERY_MS);
}
