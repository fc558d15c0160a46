import { Gauge, type Registry } from "prom-client";

/** Metrics of the server of the token buckets. */
export function bucketMetrics(registers: Registry[]) {
  let gauge: Gauge | undefined;
  return {
    /** Shown from the first call on: where no server is configured, none is down. */
    showSharedBuckets(isUp: boolean): void {
      gauge ??= new Gauge({
        name: "parley_shared_buckets_up",
        help: "1 while the token buckets are shared, 0 while this instance counts by itself; only with --buckets",
        registers,
      });
      gauge.set(Number(isUp));
    },
  };
}
