import type { HandoffRow } from "../../../domain/operator/handoffs.ts";
import { ask } from "../../api/client.ts";
import { type Pages, usePages } from "../../use-pages.tsx";
import { useSteadily } from "../../use-steadily.ts";

const LOOK_EVERY_MS = 5000;

/** The three lists: waiting or with an operator, given back to the bot, and closed. */
export const SHOWN = [
  ["waiting", "Waiting"],
  ["back", "Given back"],
  ["closed", "Closed"],
] as const;
interface HandoffPage {
  items: HandoffRow[];
  next: string | null;
}
export type Shown = (typeof SHOWN)[number][0];

const QUERIES = {
  waiting: { waiting: "1" },
  back: { waiting: "0" },
  closed: { state: "closed" },
} as const satisfies Record<Shown, object>;

/** A page of a list. Hand-offs with an operator stand before the first page of those that wait. */
async function pageOf(
  shown: Shown,
  cursor: string | undefined,
  extras: { signal?: AbortSignal },
): Promise<HandoffPage> {
  const page = ask("GET /handoffs", { query: { ...QUERIES[shown], cursor } }, extras);
  if (shown !== "waiting" || cursor !== undefined) return page;
  const live = ask("GET /handoffs", { query: { state: "live" } }, extras);
  const [{ items: first }, { items, next }] = await Promise.all([live, page]);
  return { items: [...first, ...items], next };
}

/** A list of hand-offs, page by page. It is refreshed while only its first page is shown. */
export function useHandoffs(shown: Shown): Pages<HandoffPage> {
  const list = usePages(`handoffs ${shown}`, "More hand-offs", (cursor, extras) =>
    pageOf(shown, cursor, extras),
  );
  useSteadily(list, LOOK_EVERY_MS, !list.isGrown && !list.isBusy);
  return list;
}
