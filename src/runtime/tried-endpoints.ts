import type { Logger } from "pino";

import type { CallOrder, CallOutcome, EndpointCaller } from "../action/endpoint-caller.ts";
import type { CallFault } from "../domain/action.ts";
import { currentActorOr } from "../store/changes/current-actor.ts";

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
