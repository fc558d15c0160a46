import { MOST_OF_TURNS } from "../../domain/delivery.ts";
import { type Finding, fine, listNames } from "./finding.ts";

/** Whether more events of turns wait for a webhook than may, so that it is not told of all. @param waiting by webhook. Pure. */
export function judgeWebhooks(waiting: ReadonlyMap<string, number>): Finding[] {
  const full = [...waiting].filter(([, count]) => count >= MOST_OF_TURNS).map(([webhook]) => webhook);
  if (full.length > 0) {
    const message = `${listNames(full)}: ${MOST_OF_TURNS} events of turns wait, and later ones are dropped`;
    const cure =
      "see in `GET /api/v1/deliveries?state=waiting` why its receiver does not take them, or name fewer events under `webhooks`";
    return [{ check: "webhooks", severity: "mend", message, cure }];
  }
  const all = [...waiting.values()].reduce((sum, count) => sum + count, 0);
  return all === 0 ? [] : [fine("webhooks", `${all} events of turns wait`)];
}
