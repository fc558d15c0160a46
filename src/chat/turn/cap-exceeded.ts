import { ServiceError } from "../../domain/errors.ts";
import { type EpochMs, startOfNextMonth } from "../../domain/time.ts";

const SPENT = {
  messages: "This bot has answered all the messages of this month",
  "model tokens": "This bot has used all the model tokens of this month",
};

/** A bot's monthly cap is reached, or its token budget spent. */
export function capExceeded(what: keyof typeof SPENT, at: EpochMs): ServiceError {
  const reset = startOfNextMonth(at);
  return new ServiceError(
    "MESSAGE_CAP_EXCEEDED",
    `${SPENT[what]}; it answers again from ${new Date(reset).toISOString().replace(".000Z", "Z")}.`,
    { headers: { "Retry-After": String(Math.ceil((reset - at) / 1000)) } },
  );
}
