const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;

/** Twice as long after each failure; at random, so that not every client asks a server that comes back at once. */
export function backoffMs(failures: number, random: () => number): number {
  return Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures) * (0.5 + random() / 2);
}

/** Ends early when the network is back, or nobody waits any more. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = new AbortController();
    const timer = setTimeout(end, milliseconds);
    function end(): void {
      clearTimeout(timer);
      over.abort();
      resolve();
    }
    // Node has no such events.
    globalThis.addEventListener?.("online", end, { signal: over.signal });
    signal?.addEventListener("abort", end, { signal: over.signal });
    if (signal?.aborted) end();
  });
}

/** Milliseconds that a `Retry-After` header in seconds asks for; undefined if there is none. */
export function retryAfterMs(headers: Headers): number | undefined {
  return Number.parseInt(headers.get("retry-after") ?? "") * 1000 || undefined;
}
