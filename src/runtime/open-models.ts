import type { Config } from "../config/config.ts";
import { sleepUnlessAborted } from "../model/deadline.ts";
import { type ModelFleet, openModelFleet } from "../model/model-fleet.ts";
import type { World } from "./world.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Opens the configured model servers, whose calls are counted, and warns of keys that `env` does not hold. */
export function openModels(
  { models }: Config,
  env: Environment,
  { metrics, log }: Pick<World, "metrics" | "log">,
): ModelFleet {
  for (const [server, { apiKeyEnv }] of Object.entries(models)) {
    if (apiKeyEnv !== undefined && !env[apiKeyEnv]) {
      log.warn({ server, variable: apiKeyEnv }, "the key of a model server is not in the environment");
    }
  }
  const callWorld = { now: Date.now, random: Math.random, sleep: sleepUnlessAborted };
  return openModelFleet(models, env, callWorld, ({ server, outcome, reason, milliseconds }, usage) => {
    metrics.modelCalls.inc({ server, outcome });
    metrics.modelSeconds.observe({ server }, milliseconds / 1000);
    if (outcome === "unavailable" || outcome === "timeout") {
      log.warn({ server, outcome, reason, milliseconds }, "a model server did not answer");
    }
    if (!usage) return;
    metrics.modelTokens.inc({ server, kind: "prompt" }, usage.promptTokens);
    metrics.modelTokens.inc({ server, kind: "completion" }, usage.completionTokens);
  });
}
