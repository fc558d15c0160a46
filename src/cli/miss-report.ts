import { CLOSE_FROM } from "../domain/decision.ts";
import type { Miss } from "../operate/figures.ts";
import { formatShare, formatTable } from "./format.ts";
import type { Colours } from "./terminal.ts";

/** A table of misses under a heading; nothing without misses. @param total number of utterances. @param most number of rows. */
export function describeMisses(
  misses: readonly Miss[],
  { total, most, colours }: { total: number; most: number; colours: Colours },
): string[] {
  if (misses.length === 0) return [];
  const rest = misses.length - most;
  const rows = misses
    .slice(0, most)
    .map((miss) => [
      `  ${miss.expected ?? "out of scope"}`,
      gotOf(miss),
      formatShare(miss.chance),
      `"${miss.text}"`,
    ]);
  return [
    "",
    colours.bold(`Misses: ${misses.length} of ${total}`),
    formatTable(["  EXPECTED", "GOT", "CHANCE", "MESSAGE"], rows),
    ...(rest > 0 ? [`  and ${rest} more; --json lists them all`] : []),
  ];
}

/** The result of a miss; the probability belongs to the named intent. */
function gotOf({ got, chance, expectedDecision, gotDecision, suggestions }: Miss): string {
  const name = got ?? "no intent";
  if (gotDecision === "allowed") return expectedDecision === "DENY_LIST" ? `${name}, answered` : name;
  if (gotDecision !== "no_intent_match") return `${name}, ${gotDecision}`;
  if (suggestions.length > 0) return `asked: ${suggestions.join(", ")}`;
  return chance < CLOSE_FROM ? "nothing" : `nothing, closest to ${name}`;
}
