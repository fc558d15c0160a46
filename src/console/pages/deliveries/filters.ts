import type { DeliveryRow } from "../../../domain/operator/handoffs.ts";
import type { InputOf } from "../../api/routes.ts";
import { EVENT_WORDS, STATE_WORDS } from "../../words/deliveries.ts";

/** The filters that stand in the address; "": all. */
export interface Filters {
  readonly bot: string;
  readonly state: string;
  readonly event: string;
  readonly conversation: string;
}

type DeliveryQuery = InputOf<"GET /deliveries">["query"];

export function filtersOf(query: URLSearchParams): Filters {
  const text = (name: string) => query.get(name) ?? "";
  const known = (name: string, words: Readonly<Record<string, string>>) =>
    Object.hasOwn(words, text(name)) ? text(name) : "";
  return {
    bot: text("bot"),
    state: known("state", STATE_WORDS),
    event: known("event", EVENT_WORDS),
    conversation: text("conversation"),
  };
}

/** Whether anything is left out. */
export const isFiltered = (filters: Filters): boolean => Object.values(filters).some((value) => value !== "");

/** The filters as the API takes them. */
export function queryOf({ bot, state, event, conversation }: Filters): DeliveryQuery {
  return {
    ...(bot !== "" && { bot }),
    ...(state !== "" && { state: state as DeliveryRow["state"] }),
    ...(event !== "" && { event: event as DeliveryRow["event"] }),
    ...(conversation !== "" && { conversation }),
  };
}
