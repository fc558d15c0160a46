import { ServiceError } from "../domain/errors.ts";

/** There is no such bot, or it is disabled; which of the two is nobody's business. */
export function botNotFound(): ServiceError {
  return new ServiceError("NOT_FOUND", "No enabled bot has this botId.");
}
