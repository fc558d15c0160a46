import { useState } from "preact/hooks";

import type { HandoffRow } from "../../../domain/operator/handoffs.ts";
import { ask } from "../../api/client.ts";
import { asProblem, type Resource, useResource } from "../../api/resource.ts";
import { sayFault } from "../../toasts.ts";
import { useSteadily } from "../../use-steadily.ts";

const LOOK_EVERY_MS = 5000;

/** The three lists: waiting or with an operator, given back to the bot, and closed. */
export const SHOWN = [
  ["waiting", "Waiting"],
  ["back", "Given back"],
  ["closed", "Closed"],
] as const;
export type Shown = (typeof SHOWN)[number][0];

const QUERIES = {
  waiting: { waiting: "1" },
  back: { waiting: "0" },
  closed: { state: "closed" },
} as const satisfies Record<Shown, object>;

interface Listed {
  readonly items: readonly HandoffRow[];
  /** Cursor of what comes after them. */
  readonly next: string | null;
  /** More than the first page was read. */
  readonly isGrown?: boolean;
}

async function firstPage(shown: Shown, signal: AbortSignal): Promise<Listed> {
  const page = ask("GET /handoffs", { query: QUERIES[shown] }, { signal });
  if (shown !== "waiting") return page;
  const live = ask("GET /handoffs", { query: { state: "live" } }, { signal });
  const [{ items: first }, { items, next }] = await Promise.all([live, page]);
  return { items: [...first, ...items], next };
}

/** A list of hand-offs, page by page. It is refreshed while only its first page is shown. */
export function useHandoffs(shown: Shown): {
  list: Resource<Listed>;
  more: (cursor: string) => void;
  isBusy: boolean;
} {
  const [isBusy, setIsBusy] = useState(false);
  const list = useResource<Listed>(`handoffs ${shown}`, (signal) => firstPage(shown, signal));
  const isGrown = list.data?.isGrown === true && !list.isOld;
  useSteadily(list, LOOK_EVERY_MS, !isGrown && !isBusy);
  const more = async (cursor: string) => {
    setIsBusy(true);
    try {
      const page = await ask("GET /handoffs", { query: { ...QUERIES[shown], cursor } });
      list.replace({ items: [...list.data!.items, ...page.items], next: page.next, isGrown: true });
    } catch (error) {
      sayFault(`More hand-offs could not be loaded: ${asProblem(error).message}`);
    }
    setIsBusy(false);
  };
  return { list, more: (cursor) => void more(cursor), isBusy };
}
