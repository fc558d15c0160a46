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
import { currentActorOr } from "../store/changes/current-actor.ts";
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

/** The endpoints as operators call them who try a bot out: nothing of that is stored, so that the log says who called what. */
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
