import type { Logger } from "pino";

import {
  type CallOrder,
  type CallOutcome,
  ConfiguredEndpoints,
  type EndpointCaller,
} from "../action/endpoint-caller.ts";
import type { Config } from "../config/config.ts";
import { variablesOf } from "../config/endpoints.ts";
import type { CallFault } from "../domain/action.ts";
import type { Environment } from "../domain/os-user.ts";
import { sleepUnlessAborted } from "../model/deadline.ts";
import { type ModelFleet, openModelFleet } from "../model/model-fleet.ts";
import { currentActorOr } from "../store/changes/current-actor.ts";
import type { World } from "./world.ts";

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

/** Opens the configured endpoints, whose calls are counted, and warns of variables that `env` does not hold. */
export function openEndpoints(
  { endpoints }: Pick<Config, "endpoints">,
  env: Environment,
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

/** The endpoints for operators who try out a bot. Nothing of a trial is stored, so the log records who called which endpoint. */
export class TriedEndpoints implements EndpointCaller {
  readonly #endpoints: EndpointCaller;
  readonly #log: Pick<Logger, "info">;

  constructor(endpoints: EndpointCaller, log: Pick<Logger, "info">) {
    this.#endpoints = endpoints;
    this.#log = log;
  }

  isDry(): boolean {
    return false;
  }

  refusalOf(order: CallOrder): CallFault | undefined {
    return this.#endpoints.refusalOf(order);
  }

  async call(order: CallOrder): Promise<CallOutcome> {
    const { id: actionId, bot, endpoint, request } = order;
    const { name: by } = currentActorOr({ kind: "server", name: "" });
    const outcome = await this.#endpoints.call(order);
    const came = outcome.kind === "answered" ? { status: outcome.answer.status } : { outcome: outcome.kind };
    this.#log.info(
      { by, actionId, bot, endpoint, method: request.method, ...came },
      "an endpoint was called by who tried a bot out",
    );
    return outcome;
  }
}
