import { useCallback, useEffect, useRef, useState } from "preact/hooks";

import type { ConversationPage, ConversationRow } from "../../../domain/operator/conversations.ts";
import { ask } from "../../api/client.ts";
import { Problem } from "../../api/problem.ts";
import { type Pages, usePages } from "../../use-pages.tsx";
import { type Filters, queryOf } from "./filters.ts";

/** Interval between checks for new conversations, while the page is visible. */
const LIVE_EVERY_MS = 3000;
/** New rows are added up to this total. Then the list is read again, so that a page left open does not grow without bound. */
export const MAX_LIVE_ROWS = 500;

/** The list of conversations: read page by page, and live at its top. */
export interface ConversationList extends Pages<ConversationPage> {
  /** New conversations that are not shown yet. */
  readonly waiting: readonly ConversationRow[];
  readonly showWaiting: () => void;
  readonly remove: (id: string) => void;
}

interface Live {
  readonly isOn: boolean;
  /** Whether new rows may be added at the top, because the list is scrolled to its top. */
  readonly isAtTop: () => boolean;
}

/** Merges rows by conversation; the newer row wins. */
function withNewer(rows: readonly ConversationRow[], newer: readonly ConversationRow[]): ConversationRow[] {
  const ids = new Set(newer.map(({ id }) => id));
  return [...newer, ...rows.filter(({ id }) => !ids.has(id))];
}

/** @param onNewer receives the ids of conversations with new messages. */
export function useConversationList(
  filters: Filters,
  live: Live,
  onNewer: (ids: readonly string[]) => void,
): ConversationList {
  const key = JSON.stringify(filters);
  const [waiting, setWaiting] = useState<readonly ConversationRow[]>([]);
  const list = usePages(key, "Older conversations", (cursor, extras) =>
    ask("GET /conversations", { query: { ...queryOf(filters, Date.now()), cursor } }, extras),
  );
  useEffect(() => setWaiting([]), [key]);
  const latest = useRef({ list, waiting, live, onNewer });
  latest.current = { list, waiting, live, onNewer };

  const put = useCallback((newer: readonly ConversationRow[], newest: string | null) => {
    const { list: now } = latest.current;
    const { data } = now;
    if (data === undefined) return;
    const items = withNewer(data.items, newer);
    if (newer.length > 0 && items.length > MAX_LIVE_ROWS) now.reload();
    else now.replace({ ...data, items, newest: newest ?? data.newest });
  }, []);

  useEffect(() => {
    if (!live.isOn) return undefined;
    const controller = new AbortController();
    const look = async () => {
      const { list: now, live: is } = latest.current;
      const newest = now.data?.newest;
      if (document.hidden || now.isOld || newest === undefined || newest === null) return;
      const query = { ...queryOf(filters, Date.now()), newer: newest };
      const page = await ask("GET /conversations", { query }, { signal: controller.signal });
      if (page.items.length === 0 || latest.current.list.data?.newest !== newest) return;
      latest.current.onNewer(page.items.map(({ id }) => id));
      if (is.isAtTop()) put(page.items, page.newest);
      else {
        setWaiting((before) => withNewer(before, page.items).slice(0, MAX_LIVE_ROWS));
        put([], page.newest);
      }
    };
    const timer = setInterval(() => {
      look().catch((error: unknown) => {
        // The offline banner already reports this; the next check may succeed.
        if (!(error instanceof Problem) && !controller.signal.aborted) throw error;
      });
    }, LIVE_EVERY_MS);
    return () => {
      clearInterval(timer);
      controller.abort();
    };
  }, [key, live.isOn, put]);

  return {
    ...list,
    waiting,
    showWaiting: () => {
      put(waiting, null);
      setWaiting([]);
    },
    remove: (id) => {
      if (list.data !== undefined) {
        list.replace({ ...list.data, items: list.data.items.filter((row) => row.id !== id) });
      }
    },
  };
}
