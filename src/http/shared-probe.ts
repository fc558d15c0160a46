/**
 * A probe that all callers share: it runs at most once in `everyMs`, and whoever asks in between gets its latest outcome, be it a
 * rejection. `nowMs` is a clock that is never set back.
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
