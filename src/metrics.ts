import { monitorEventLoopDelay } from "node:perf_hooks";

import { Counter, Gauge, Histogram, Registry } from "prom-client";

import { RequestCounts } from "./metrics/request-counts.ts";

/** What a running server counts. Labels have few values: a route pattern, a status, a reason; never an id. */
export interface Metrics
  extends
    ReturnType<typeof requestMetrics>,
    ReturnType<typeof turnMetrics>,
    ReturnType<typeof modelMetrics>,
    ReturnType<typeof commitMetrics>,
    ReturnType<typeof storageMetrics>,
    ReturnType<typeof backupMetrics>,
    ReturnType<typeof processMetrics> {
  /** The Prometheus text format. */
  expose(): Promise<string>;
  readonly contentType: string;
}

type Registers = Registry[];

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const EVENT_LOOP_RESOLUTION_MS = 10;
const NANOSECONDS = 1e9;

/** Creates the metrics of one server, in a registry of their own. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  addProcessGauges(registers);
  return {
    ...requestMetrics(registers),
    ...turnMetrics(registers),
    ...modelMetrics(registers),
    ...commitMetrics(registers),
    ...storageMetrics(registers),
    ...backupMetrics(registers),
    ...processMetrics(registers),
    expose: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

function requestMetrics(registers: Registers) {
  return {
    requests: new RequestCounts(registers, SECONDS),
    bucketRefusals: new Counter({
      name: "parley_bucket_refusals_total",
      help: "Requests refused with RATE_LIMITED, by limit: caller or authentication",
      labelNames: ["limit"],
      registers,
    }),
    ignoredForwarding: new Counter({
      name: "parley_ignored_forwarding_total",
      help: "Requests to /chat with X-Forwarded-For from a peer that is not trusted, by peer: near (a private network) or far",
      labelNames: ["peer"],
      registers,
    }),
  };
}

function turnMetrics(registers: Registers) {
  return {
    decisions: new Counter({
      name: "parley_decisions_total",
      help: "Turns by governance decision: allowed, or the enforcement reason",
      labelNames: ["decision"],
      registers,
    }),
    turnsInFlight: new Gauge({
      name: "parley_turns_in_flight",
      help: "Messages that are being answered",
      registers,
    }),
    overloads: new Counter({
      name: "parley_overloaded_total",
      help: "Messages refused with OVERLOADED, because too many were being answered",
      registers,
    }),
    unfinishedTurns: new Counter({
      name: "parley_unfinished_turns_total",
      help: "Messages given back, whose answer a server did not finish",
      registers,
    }),
  };
}

function modelMetrics(registers: Registers) {
  return {
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
  };
}

function commitMetrics(registers: Registers) {
  return {
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
  };
}

function storageMetrics(registers: Registers) {
  return {
    storageFailed: new Gauge({
      name: "parley_storage_failed",
      help: "1 once nothing is acknowledged any more, by kind: moved, damaged or unreliable",
      labelNames: ["kind"],
      registers,
    }),
    storageSoundAt: new Gauge({
      name: "parley_storage_sound_timestamp_seconds",
      help: "When a check of every page last found the database sound; 0 before the first since the start",
      registers,
    }),
    expiryStopped: new Gauge({
      name: "parley_expiry_stopped",
      help: "1 while nothing is deleted for its age, because the clock has jumped ahead",
      registers,
    }),
  };
}

function backupMetrics(registers: Registers) {
  return {
    lastBackup: new Gauge({
      name: "parley_backup_last_success_timestamp_seconds",
      help: "When the newest scheduled backup was made, since 1970; 0 where there is none",
      registers,
    }),
    backupFailures: new Counter({
      name: "parley_backup_failures_total",
      help: "Scheduled backups that failed",
      registers,
    }),
  };
}

function processMetrics(registers: Registers) {
  return {
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

function addProcessGauges(registers: Registers): void {
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
  addGauge(
    registers,
    "process_start_time_seconds",
    "Start of the process since 1970",
    () => Date.now() / 1000 - process.uptime(),
  );
}

/** The registry keeps the gauge, which is read at every scrape. */
function addGauge(registers: Registers, name: string, help: string, read: () => number): Gauge {
  return new Gauge({
    name,
    help,
    registers,
    collect() {
      this.set(read());
    },
  });
}
