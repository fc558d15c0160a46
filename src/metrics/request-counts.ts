import { Counter, Histogram, type Registry } from "prom-client";

/** Counts requests by route and status, and how long they took by route. */
export class RequestCounts {
  readonly #bounds: readonly number[];
  readonly #total: Counter;
  readonly #seconds: Histogram;

  /** @param bounds of the times, in seconds, ascending. */
  constructor(registers: Registry[], bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#total = new Counter({
      name: "parley_http_requests_total",
      help: "Requests answered, by route pattern and status",
      labelNames: ["route", "status"],
      registers,
    });
    this.#seconds = new Histogram({
      name: "parley_http_request_seconds",
      help: "Time from request to answer",
      labelNames: ["route"],
      buckets: [...bounds],
      registers,
    });
  }

  count(route: string, status: number, seconds: number): void {
    this.#total.inc({ route, status: String(status) });
    this.#seconds.observe({ route }, seconds);
  }

  /**
   * The time within which each share of a route's requests was answered, in seconds: inside the bound that holds it, as if times were
   * spread evenly there; what is above the last bound counts as that. Undefined before the first.
   */
  async quantiles(route: string, shares: readonly number[]): Promise<number[] | undefined> {
    const { values } = await this.#seconds.get();
    const ofRoute = values.filter(({ labels }) => labels["route"] === route);
    const count = ofRoute.find(({ metricName }) => metricName?.endsWith("_count"))?.value;
    const atMost = ofRoute.filter(({ labels }) => labels["le"] !== undefined).map(({ value }) => value);
    return count === undefined ? undefined : shares.map((share) => this.#quantile(atMost, share * count));
  }

  /** @param atMost how many took no longer than each bound. */
  #quantile(atMost: readonly number[], rank: number): number {
    const i = this.#bounds.findIndex((_, place) => atMost[place]! >= rank);
    if (i === -1) return this.#bounds.at(-1)!;
    const [least, below] = [this.#bounds[i - 1] ?? 0, atMost[i - 1] ?? 0];
    return least + ((this.#bounds[i]! - least) * (rank - below)) / (atMost[i]! - below);
  }
}
