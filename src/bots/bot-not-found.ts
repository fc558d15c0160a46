import { ServiceError } from "../domain/errors.ts";

/** The error for a missing or disabled bot; clients must not learn which of the two it is. */
export function botNotFound(): ServiceError {
  return new ServiceError("NOT_FOUND", "No enabled bot has this botId.");
}
