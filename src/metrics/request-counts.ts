import { Counter, type Histogram, type Registry } from "prom-client";

const SECONDS_NAME = "parley_http_request_seconds";

/** Counts of a route. */
interface RouteCounts {
  byStatus: Map<number, number>;
  /** How many took no longer than each bound, and longer than the one before. */
  byBound: number[];
  count: number;
  seconds: number;
}

/**
 * Counts requests by route and status, and how long they took by route. They are plain numbers until a scrape: prom-client
 * takes more than a microsecond to find those of a request (docs/decisions.md).
 */
export class RequestCounts {
  readonly #bounds: readonly number[];
  readonly #routes = new Map<string, RouteCounts>();

  /** @param bounds of the times, in seconds, ascending. */
  constructor(registers: readonly Registry[], bounds: readonly number[]) {
    this.#bounds = bounds;
    const total: Counter = new Counter({
      name: "parley_http_requests_total",
      help: "Requests answered, by route pattern and status",
      labelNames: ["route", "status"],
      registers: [...registers],
      collect: () => this.#collect(total),
    });
    for (const registry of registers) registry.registerMetric(this.#histogram());
  }

  count(route: string, status: number, seconds: number): void {
    const counts = this.#routes.get(route) ?? this.#add(route);
    counts.byStatus.set(status, (counts.byStatus.get(status) ?? 0) + 1);
    counts.count += 1;
    counts.seconds += seconds;
    const bound = this.#bounds.findIndex((most) => seconds <= most);
    if (bound >= 0) counts.byBound[bound]! += 1;
  }

  /**
   * The time within which each share of a route's requests was answered, in seconds: inside the bound that holds it, as if times were
   * spread evenly there. Undefined before the first.
   */
  quantiles(route: string, shares: readonly number[]): number[] | undefined {
    const counts = this.#routes.get(route);
    return counts && shares.map((share) => this.#quantile(counts, share * counts.count));
  }

  /** Values above the last bound count as that bound. */
  #quantile({ byBound }: RouteCounts, rank: number): number {
    let below = 0;
    for (const [i, most] of this.#bounds.entries()) {
      const least = this.#bounds[i - 1] ?? 0;
      if (below + byBound[i]! >= rank) return least + ((most - least) * (rank - below)) / byBound[i]!;
      below += byBound[i]!;
    }
    return this.#bounds.at(-1)!;
  }

  #add(route: string): RouteCounts {
    const byBound = this.#bounds.map(() => 0);
    const counts: RouteCounts = { byStatus: new Map(), byBound, count: 0, seconds: 0 };
    this.#routes.set(route, counts);
    return counts;
  }

  #collect(total: Counter): void {
    total.reset();
    for (const [route, { byStatus }] of this.#routes) {
      for (const [status, count] of byStatus) total.inc({ route, status: String(status) }, count);
    }
  }

  /** All that a registry asks of a metric: prom-client's own histogram takes one time after the other. */
  #histogram(): Histogram {
    const described = { name: SECONDS_NAME, help: "Time from request to answer", type: "histogram" };
    const values = () => Array.from(this.#routes, ([route, counts]) => this.#valuesOf(route, counts)).flat();
    return { ...described, get: async () => ({ ...described, values: values() }) } as unknown as Histogram;
  }

  #valuesOf(route: string, { byBound, count, seconds }: RouteCounts) {
    let atMost = 0;
    const buckets = this.#bounds.map((le, i) => {
      atMost += byBound[i]!;
      return { metricName: `${SECONDS_NAME}_bucket`, labels: { le, route }, value: atMost };
    });
    return [
      ...buckets,
      { metricName: `${SECONDS_NAME}_bucket`, labels: { le: "+Inf", route }, value: count },
      { metricName: `${SECONDS_NAME}_sum`, labels: { route }, value: seconds },
      { metricName: `${SECONDS_NAME}_count`, labels: { route }, value: count },
    ];
  }
}
