/**
 * A probe shared by all callers: it runs at most once per `everyMs`; in between, callers get the latest result or rejection. `nowMs` is a
 * monotonic clock.
 */
export function sharedProbe(
  probe: () => Promise<void>,
  everyMs: number,
  nowMs: () => number = () => performance.now(),
): () => Promise<void> {
  let startedAt = Number.NEGATIVE_INFINITY;
  let outcome: Promise<void>;
  return () => {
    const now = nowMs();
    if (now - startedAt >= everyMs) {
      startedAt = now;
      outcome = probe();
    }
    return outcome;
  };
}
