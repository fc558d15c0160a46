import { type MetricsMaker, SECONDS } from "./create.ts";
import { RequestCounts } from "./request-counts.ts";

/** Metrics of the listeners. */
export function requestMetrics(create: MetricsMaker) {
  return {
    requests: new RequestCounts(create.registers, SECONDS),
    bucketRefusals: create.counter(
      "parley_bucket_refusals_total",
      "Requests refused with RATE_LIMITED, by limit: caller or authentication",
      ["limit"],
    ),
    ignoredForwarding: create.counter(
      "parley_ignored_forwarding_total",
      "Requests to /chat with X-Forwarded-For from a peer that is not trusted, by peer: near (a private network) or far",
      ["peer"],
    ),
  };
}

/** Metrics of turns, for all bots together. */
export function turnMetrics(create: MetricsMaker) {
  return {
    decisions: create.counter(
      "parley_decisions_total",
      "Turns by governance decision: allowed, or the enforcement reason",
      ["decision"],
    ),
    turnsInFlight: create.gauge("parley_turns_in_flight", "Messages that are being answered"),
    overloads: create.counter(
      "parley_overloaded_total",
      "Messages refused with OVERLOADED, because too many were being answered",
    ),
    unfinishedTurns: create.counter(
      "parley_unfinished_turns_total",
      "Messages given back, whose answer a server did not finish",
    ),
  };
}

/** Metrics of calls to model servers. */
export function modelMetrics(create: MetricsMaker) {
  return {
    modelCalls: create.counter("parley_model_calls_total", "Calls to model servers, by outcome", [
      "server",
      "outcome",
    ]),
    modelSeconds: create.histogram("parley_model_seconds", "Time that model servers took, retries included", {
      labels: ["server"],
    }),
    modelTokens: create.counter(
      "parley_model_tokens_total",
      "Tokens that model servers counted, by kind: prompt or completion",
      ["server", "kind"],
    ),
  };
}

/** Metrics of calls to operators' endpoints. */
export function actionMetrics(create: MetricsMaker) {
  return {
    endpointCalls: create.counter(
      "parley_endpoint_calls_total",
      "Calls of actions to endpoints, by outcome: a class of statuses such as 2xx, or why there was no answer",
      ["endpoint", "outcome"],
    ),
    endpointSeconds: create.histogram("parley_endpoint_seconds", "Time that calls to endpoints took", {
      labels: ["endpoint"],
    }),
  };
}
