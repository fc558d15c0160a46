import type { ConversationQuery } from "../../../domain/operator/conversations.ts";
import { OUTCOMES, RATINGS } from "../../words/outcomes.ts";
import { utcShortDay } from "../../words/times.ts";

const HOUR_MS = 3_600_000;

/** Periods, in the address as `from=7d`; an instant is written in milliseconds. */
const SPANS: Readonly<Record<string, { says: string; ms: number }>> = {
  "24h": { says: "24 hours", ms: 24 * HOUR_MS },
  "7d": { says: "7 days", ms: 7 * 24 * HOUR_MS },
  "30d": { says: "30 days", ms: 30 * 24 * HOUR_MS },
  "90d": { says: "90 days", ms: 90 * 24 * HOUR_MS },
};

/** Options for the period, including an instant from a link. */
export function spanOptions(from: string): (readonly [string, string])[] {
  const spans = Object.entries(SPANS).map(([span, { says }]) => [span, says] as const);
  const isInstant = from !== "" && SPANS[from] === undefined;
  return [
    ["", "Any time"],
    ...spans,
    ...(isInstant ? [[from, `Since ${utcShortDay(Number(from))}`] as const] : []),
  ];
}

/** The filters that stand in the address. */
export interface Filters {
  readonly q: string;
  readonly bot: string;
  readonly decision: string;
  readonly intent: string;
  readonly rating: string;
  readonly from: string;
}

export function filtersOf(query: URLSearchParams): Filters {
  const text = (name: string) => query.get(name) ?? "";
  const from = text("from");
  return {
    q: text("q"),
    bot: text("bot"),
    decision: OUTCOMES.find((outcome) => outcome === text("decision")) ?? "",
    intent: text("intent"),
    rating: RATINGS.find((rating) => rating === text("rating")) ?? "",
    from: SPANS[from] !== undefined || /^\d+$/.test(from) ? from : "",
  };
}

/** Whether any filter is set. */
export const isFiltered = (filters: Filters): boolean => Object.values(filters).some((value) => value !== "");

/** The filters as the API takes them. */
export function queryOf({ q, bot, decision, intent, rating, from }: Filters, now: number): ConversationQuery {
  const span = SPANS[from];
  return {
    ...(q !== "" && { q }),
    ...(bot !== "" && { bot }),
    ...(decision !== "" && { decision: decision as NonNullable<ConversationQuery["decision"]> }),
    ...(intent !== "" && { intent }),
    ...(rating !== "" && { rating: rating as NonNullable<ConversationQuery["rating"]> }),
    // Rounded to the minute, so that all pages of the list have the same start.
    ...(from !== "" && {
      from: span === undefined ? Number(from) : Math.floor((now - span.ms) / 60_000) * 60_000,
    }),
  };
}

/** A parsed search: words and filters. */
export interface Search {
  q: string;
  intent: string | undefined;
  decision: string | undefined;
  rating: string | undefined;
  /** Why a filter cannot be taken. */
  fault?: string;
}

/** A filter among the words, as `intent:orders.*`. */
const FILTER = /^(intent|decision|rating):(.+)$/;

/** Takes `intent:orders.*`, `decision:refused` and `rating:down` out of what was typed; the rest is searched for. */
export function parseSearch(typed: string): Search {
  const search: Search = { q: "", intent: undefined, decision: undefined, rating: undefined };
  const words = typed.split(/\s+/).filter((word) => {
    const [, name, value] = FILTER.exec(word) ?? [];
    if (name === "intent") search.intent = value;
    else if (name === "decision" || name === "rating") {
      const allowed: readonly string[] = name === "decision" ? OUTCOMES : RATINGS;
      if (allowed.includes(value!)) search[name] = value;
      else search.fault = `\`${name}:\` takes one of ${allowed.join(", ")}.`;
    } else return true;
    return false;
  });
  search.q = words.join(" ").trim();
  return search;
}
