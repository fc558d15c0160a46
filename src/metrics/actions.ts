import { Counter, Histogram, type Registry } from "prom-client";

import { SECONDS } from "./seconds.ts";

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
