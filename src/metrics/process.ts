import { monitorEventLoopDelay } from "node:perf_hooks";

import type { MetricsMaker } from "./create.ts";

const EVENT_LOOP_RESOLUTION_MS = 10;
const NANOSECONDS = 1e9;

/** Metrics of the process. */
export function processMetrics(create: MetricsMaker) {
  return {
    starts: create.counter("parley_starts_total", "Starts of servers on this database, since it was made"),
    ready: create.gauge("parley_ready", "1 where messages can be stored, as /readyz says"),
    descriptorShortages: create.counter(
      "parley_descriptor_shortages_total",
      "Times that file descriptors ran short",
    ),
    connectionsShed: create.counter(
      "parley_idle_connections_closed_total",
      "Idle connections that were closed, because file descriptors ran short",
    ),
    droppedLogLines: create.counter(
      "parley_log_lines_dropped_total",
      "Log lines that were dropped, because the log was not read or its device was full",
    ),
  };
}

/** Gauges of the process, read at every scrape. */
export function addProcessGauges(create: MetricsMaker): void {
  const delay = monitorEventLoopDelay({ resolution: EVENT_LOOP_RESOLUTION_MS });
  delay.enable();
  const readDelay = () => {
    const seconds = delay.max / NANOSECONDS;
    delay.reset();
    return seconds;
  };
  create.readGauge(
    "parley_event_loop_lag_seconds",
    "Longest delay of the event loop since the last scrape",
    readDelay,
  );
  create.readGauge("process_resident_memory_bytes", "Resident memory", () => process.memoryUsage.rss());
  // Once: a little more or less at each scrape would look like a restart.
  const startedAt = Date.now() / 1000 - process.uptime();
  create.readGauge("process_start_time_seconds", "Start of the process since 1970", () => startedAt);
}
