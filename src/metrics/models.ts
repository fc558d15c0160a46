import { Counter, Histogram, type Registry } from "prom-client";

import { SECONDS } from "./seconds.ts";

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
