import { Counter, Gauge, Histogram, type Registry } from "prom-client";

import { RequestCounts } from "./request-counts.ts";

/** Upper bounds of histograms of time, in seconds: from a scripted answer to a slow model's. */
export const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Metrics of the listeners. */
export function requestMetrics(registers: Registry[]) {
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

/** Metrics of turns, for all bots together. */
export function turnMetrics(registers: Registry[]) {
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

/** Metrics of calls to model servers. */
export function modelMetrics(registers: Registry[]) {
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

/** Metrics of calls to operators' endpoints. */
export function actionMetrics(registers: Registry[]) {
  return {
    endpointCalls: new Counter({
      name: "parley_endpoint_calls_total",
      help: "Calls of actions to endpoints, by outcome: a class of statuses such as 2xx, or why there was no answer",
      labelNames: ["endpoint", "outcome"],
      registers,
    }),
    endpointSeconds: new Histogram({
      name: "parley_endpoint_seconds",
      help: "Time that calls to endpoints took",
      labelNames: ["endpoint"],
      buckets: SECONDS,
      registers,
    }),
  };
}
