import { Counter, Gauge, Histogram, type Registry } from "prom-client";

/** Upper bounds of histograms of time, in seconds: from a scripted answer to a slow model's. */
export const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Makes metrics in one registry. */
export class MetricsMaker {
  readonly registers: Registry[];

  constructor(registry: Registry) {
    this.registers = [registry];
  }

  counter<Label extends string = never>(
    name: string,
    help: string,
    labelNames: Label[] = [],
  ): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: this.registers });
  }

  gauge<Label extends string = never>(name: string, help: string, labelNames: Label[] = []): Gauge<Label> {
    return new Gauge({ name, help, labelNames, registers: this.registers });
  }

  /** A gauge that is read at every scrape. */
  readGauge(name: string, help: string, read: () => number): void {
    void new Gauge({
      name,
      help,
      registers: this.registers,
      collect() {
        this.set(read());
      },
    });
  }

  /** Of time, in seconds, unless other buckets are given. */
  histogram<Label extends string = never>(
    name: string,
    help: string,
    { labels = [], buckets = SECONDS }: { labels?: Label[]; buckets?: number[] } = {},
  ): Histogram<Label> {
    return new Histogram({ name, help, labelNames: labels, buckets, registers: this.registers });
  }
}
