import { Counter, Histogram, type Registry } from "prom-client";

import { SECONDS } from "./seconds.ts";

/** What the listeners count. */
export function requestMetrics(registers: Registry[]) {
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
