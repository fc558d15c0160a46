import { ConfiguredEndpoints } from "../action/endpoint-caller.ts";
import type { Config } from "../config/config.ts";
import { variablesOf } from "../config/endpoints.ts";
import type { World } from "./world.ts";

/** Opens the configured endpoints, whose calls are counted, and warns of variables that `env` does not hold. */
export function openEndpoints(
  { endpoints }: Pick<Config, "endpoints">,
  env: Readonly<Record<string, string | undefined>>,
  { metrics, log }: Pick<World, "metrics" | "log">,
): ConfiguredEndpoints {
  for (const variable of variablesOf(endpoints)) {
    if (!env[variable]) log.warn({ variable }, "a variable that an endpoint needs is not in the environment");
  }
  return new ConfiguredEndpoints(endpoints, {
    env,
    now: Date.now,
    onCall(endpoint, outcome) {
      if (outcome.kind === "dry") return;
      const label =
        outcome.kind === "answered" ? `${Math.floor(outcome.answer.status / 100)}xx` : outcome.fault;
      if (label === "unknown-endpoint") return;
      metrics.endpointCalls.inc({ endpoint, outcome: label });
      metrics.endpointSeconds.observe({ endpoint }, outcome.milliseconds / 1000);
      if (outcome.kind !== "answered")
        log.warn({ endpoint, fault: outcome.fault }, "an endpoint did not answer");
    },
  });
}
