/** What a bounded number of requests came to. */
export interface LoadResult {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

/**
 * Sends `total` requests from `concurrency` callers, each of which waits for its answer before it goes on. Loopback only. `pause`
 * comes before each request.
 *
 * @throws Error on an answer that is not 200.
 */
export async function runLoad(
  send: () => Promise<Response>,
  total: number,
  concurrency: number,
  pause?: () => Promise<void>,
): Promise<LoadResult> {
  const latenciesMs: number[] = [];
  let started = 0;
  const caller = async () => {
    while (started < total) {
      started += 1;
      if (pause) await pause();
      const sentAt = performance.now();
      const response = await send();
      await response.arrayBuffer();
      latenciesMs.push(performance.now() - sentAt);
      if (response.status !== 200) throw new Error(`answered ${response.status}`);
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: concurrency }, caller));
  const seconds = (performance.now() - startedAt) / 1000;
  latenciesMs.sort((a, b) => a - b);
  return {
    perSecond: total / seconds,
    p50Ms: quantile(latenciesMs, 0.5),
    p99Ms: quantile(latenciesMs, 0.99),
  };
}

export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}
