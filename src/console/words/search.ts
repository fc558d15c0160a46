import { OUTCOMES } from "./outcomes.ts";
import { RATINGS } from "./ratings.ts";

/** A parsed search: words and filters. */
export interface Search {
  q: string;
  intent: string | undefined;
  decision: string | undefined;
  rating: string | undefined;
}

/** A filter among the words, as `intent:orders.*`. */
const FILTER = /^(intent|decision|rating):(.+)$/;

/** Takes `intent:orders.*`, `decision:refused` and `rating:down` out of what was typed; the rest is searched for. */
export function parseSearch(typed: string): Search {
  const search: Search = { q: "", intent: undefined, decision: undefined, rating: undefined };
  const words = typed.split(/\s+/).filter((word) => {
    const [, name, value] = FILTER.exec(word) ?? [];
    if (name === "intent") search.intent = value;
    else if (name === "decision" && OUTCOMES.some((outcome) => outcome === value)) search.decision = value;
    else if (name === "rating" && RATINGS.some((rating) => rating === value)) search.rating = value;
    else return true;
    return false;
  });
  search.q = words.join(" ").trim();
  return search;
}
