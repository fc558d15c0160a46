import { isLoopback } from "../../config/addresses.ts";
import { ServiceError } from "../../domain/errors.ts";
import type { Gate } from "./mount.ts";

/** A gate that nobody passes, as there is no operator: beyond loopback there is nothing to see (decisions §12). */
export function closedGate(operatorHost: string): Gate {
  return {
    async assertOpen() {
      if (!isLoopback(operatorHost)) throw nothingHere();
    },
    identify: () => Promise.resolve(undefined),
    invitation: () =>
      Promise.resolve("There is no operator yet; `parley operator add NAME --role owner` makes one."),
  };
}

function nothingHere(): ServiceError {
  return new ServiceError("NOT_FOUND", "The operator listener has GET /metrics, and nothing else.");
}
