import { OUTCOMES } from "./outcomes.ts";

/** What a search says: words, and filters among them. */
export interface Search {
  q: string;
  intent: string | undefined;
  decision: string | undefined;
}

/** Takes `intent:orders.*` and `decision:refused` out of what was typed; the rest is searched for. */
export function parseSearch(typed: string): Search {
  const search: Search = { q: "", intent: undefined, decision: undefined };
  const words = typed.split(/\s+/).filter((word) => {
    const [, name, value] = /^(intent|decision):(.+)$/.exec(word) ?? [];
    if (name === "intent") search.intent = value;
    else if (name === "decision" && OUTCOMES.some((outcome) => outcome === value)) search.decision = value;
    else return true;
    return false;
  });
  search.q = words.join(" ").trim();
  return search;
}
