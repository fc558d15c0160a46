import { monitorEventLoopDelay } from "node:perf_hooks";

import { Counter, Gauge, Histogram, Registry } from "prom-client";

/** What a running server counts. Labels have few values: a route pattern, a status, a reason; never an id. */
export interface Metrics {
  requests: Counter<"route" | "status">;
  requestSeconds: Histogram<"route">;
  decisions: Counter<"decision">;
  bucketRefusals: Counter<"limit">;
  modelCalls: Counter<"server" | "outcome">;
  modelSeconds: Histogram<"server">;
  modelTokens: Counter<"server" | "kind">;
  unfinishedTurns: Counter;
  commitSeconds: Histogram;
  commitGroupSize: Histogram;
  /** The Prometheus text format. */
  expose(): Promise<string>;
  readonly contentType: string;
}

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const EVENT_LOOP_RESOLUTION_MS = 10;
const NANOSECONDS = 1e9;

/** Creates the metrics of one server, in a registry of their own. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  addProcessGauges(registry);
  return {
    requests: new Counter({
      name: "parley_http_requests_total",
      help: "Requests answered, by route pattern and status",
      labelNames: ["route", "status"],
      registers,
    }),
    requestSeconds: new Histogram({
      name: "parley_http_request_seconds",
      help: "Time from request to answer",
      labelNames: ["route"],
      buckets: SECONDS,
      registers,
    }),
    decisions: new Counter({
      name: "parley_decisions_total",
      help: "Turns by governance decision: allowed, or the enforcement reason",
      labelNames: ["decision"],
      registers,
    }),
    bucketRefusals: new Counter({
      name: "parley_bucket_refusals_total",
      help: "Requests refused with RATE_LIMITED, by limit: caller or authentication",
      labelNames: ["limit"],
      registers,
    }),
    modelCalls: new Counter({
      name: "parley_model_calls_total",
      help: "Calls to model servers, by outcome",
      labelNames: ["server", "outcome"],
      registers,
    }),
    modelSeconds: new Histogram({
      name: "parley_model_seconds",
      help: "Time that model servers took, retries included",
      labelNames: ["server"],
      buckets: SECONDS,
      registers,
    }),
    modelTokens: new Counter({
      name: "parley_model_tokens_total",
      help: "Tokens that model servers counted, by kind: prompt or completion",
      labelNames: ["server", "kind"],
      registers,
    }),
    unfinishedTurns: new Counter({
      name: "parley_unfinished_turns_total",
      help: "Messages given back at the start, whose answer an earlier process did not finish",
      registers,
    }),
    commitSeconds: new Histogram({
      name: "parley_commit_seconds",
      help: "Time a group commit took",
      buckets: SECONDS,
      registers,
    }),
    commitGroupSize: new Histogram({
      name: "parley_commit_group_size",
      help: "Writes that shared one commit",
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
      registers,
    }),
    expose: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

function addProcessGauges(registry: Registry): void {
  const delay = monitorEventLoopDelay({ resolution: EVENT_LOOP_RESOLUTION_MS });
  delay.enable();
  const registers = [registry];
  const gauges = [
    new Gauge({
      name: "parley_event_loop_lag_seconds",
      help: "Longest delay of the event loop since the last scrape",
      registers,
      collect() {
        this.set(delay.max / NANOSECONDS);
        delay.reset();
      },
    }),
    new Gauge({
      name: "process_resident_memory_bytes",
      help: "Resident memory",
      registers,
      collect() {
        this.set(process.memoryUsage.rss());
      },
    }),
    new Gauge({
      name: "process_start_time_seconds",
      help: "Start of the process since 1970",
      registers,
      collect() {
        this.set(Date.now() / 1000 - process.uptime());
      },
    }),
  ];
  void gauges;
}
