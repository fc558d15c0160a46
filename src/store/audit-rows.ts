import type { DeniedBy } from "../domain/decision.ts";
import type { ConversationPlace } from "./interface/audit.ts";

/** Receipts are checked when they are written. */
export const parseDeniedBy = (json: string | null): DeniedBy | null =>
  json === null ? null : (JSON.parse(json) as DeniedBy);

/** Before every conversation. */
export const FIRST_PLACE: ConversationPlace = {
  startedAt: Number.MAX_SAFE_INTEGER,
  id: "" as ConversationPlace["id"],
};

/** The place of the last of a page's conversations, where more may stand behind it. */
export function lastPlace(page: readonly ConversationPlace[], most: number): ConversationPlace | undefined {
  const last = page.at(-1);
  return last && page.length === most ? { startedAt: last.startedAt, id: last.id } : undefined;
}
