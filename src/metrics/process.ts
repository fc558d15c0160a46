import { monitorEventLoopDelay } from "node:perf_hooks";

import { Counter, Gauge, type Registry } from "prom-client";

const EVENT_LOOP_RESOLUTION_MS = 10;
const NANOSECONDS = 1e9;

/** Metrics of the process. */
export function processMetrics(registers: Registry[]) {
  return {
    starts: new Counter({
      name: "parley_starts_total",
      help: "Starts of servers on this database, since it was made",
      registers,
    }),
    ready: new Gauge({
      name: "parley_ready",
      help: "1 where messages can be stored, as /readyz says",
      registers,
    }),
    descriptorShortages: new Counter({
      name: "parley_descriptor_shortages_total",
      help: "Times that file descriptors ran short",
      registers,
    }),
    connectionsShed: new Counter({
      name: "parley_idle_connections_closed_total",
      help: "Idle connections that were closed, because file descriptors ran short",
      registers,
    }),
    droppedLogLines: new Counter({
      name: "parley_log_lines_dropped_total",
      help: "Log lines that were dropped, because the log was not read or its device was full",
      registers,
    }),
  };
}

/** Gauges of the process, read at every scrape. */
export function addProcessGauges(registers: Registry[]): void {
  const delay = monitorEventLoopDelay({ resolution: EVENT_LOOP_RESOLUTION_MS });
  delay.enable();
  const readDelay = () => {
    const seconds = delay.max / NANOSECONDS;
    delay.reset();
    return seconds;
  };
  addGauge(
    registers,
    "parley_event_loop_lag_seconds",
    "Longest delay of the event loop since the last scrape",
    readDelay,
  );
  addGauge(registers, "process_resident_memory_bytes", "Resident memory", () => process.memoryUsage.rss());
  // Once: a little more or less at each scrape would look like a restart.
  const startedAt = Date.now() / 1000 - process.uptime();
  addGauge(registers, "process_start_time_seconds", "Start of the process since 1970", () => startedAt);
}

/** The registry keeps the gauge, which is read at every scrape. */
function addGauge(registers: Registry[], name: string, help: string, read: () => number): Gauge {
  return new Gauge({
    name,
    help,
    registers,
    collect() {
      this.set(read());
    },
  });
}
