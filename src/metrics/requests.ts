import { Counter, type Registry } from "prom-client";

import { RequestCounts } from "./request-counts.ts";
import { SECONDS } from "./seconds.ts";

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
