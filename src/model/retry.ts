import type { EpochMs } from "../domain/time.ts";

/** Calls after the first one to the same server. */
export const MAX_RETRIES = 2;
/** Longest `Retry-After` that is waited for while a visitor waits. A server that asks for more is left alone, and the next one is tried. */
export const LONGEST_WAIT_MS = 2500;
const FIRST_BACKOFF_MS = 200;

/** Statuses after which the same request may succeed. */
const TRANSIENT = new Set([408, 409, 425, 429, 500, 502, 503, 504, 529]);

export function isTransient(status: number): boolean {
  return TRANSIENT.has(status);
}

/** Milliseconds before retry number `retry` (from 0): doubling, with up to half taken off. `random` is in [0, 1). */
export function backoffMs(retry: number, random: () => number): number {
  return FIRST_BACKOFF_MS * 2 ** retry * (1 - random() / 2);
}

/** Milliseconds that `Retry-After` asks for: seconds, or an HTTP date (RFC 9110 §10.2.3). */
export function parseRetryAfterMs(header: string | null, now: EpochMs): number | undefined {
  if (header === null) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
