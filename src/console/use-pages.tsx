import { h } from "preact";
import { useEffect, useRef } from "preact/hooks";

import { type Resource, useResource } from "./api/resource.ts";
import { Button } from "./parts/button.tsx";
import { useAction } from "./use-action.ts";

/** A page of a list, with the rows that were read so far. */
interface Listed {
  readonly items: readonly unknown[];
  /** Cursor of the next page; null: there is none. */
  readonly next: string | null;
}

/** A list that is read page by page. */
export interface Pages<Page extends Listed> extends Resource<Page & { readonly isGrown?: boolean }> {
  /** More than the first page of the present `key` was read. */
  readonly isGrown: boolean;
  readonly isBusy: boolean;
  /** Appends the next page. A failure is shown, and leaves the list as it was. */
  readonly more: () => void;
}

/**
 * Reads the first page of a list again whenever `key` changes, and further pages on request.
 *
 * @param rows for the message of a failure, as `Older changes`.
 * @param read reads the page at a cursor; without one, the first page.
 */
export function usePages<Page extends Listed>(
  key: string,
  rows: string,
  read: (cursor: string | undefined, extras: { signal?: AbortSignal }) => Promise<Page>,
): Pages<Page> {
  const list = useResource<Page & { isGrown?: boolean }>(key, (signal) => read(undefined, { signal }));
  const latest = useRef(list);
  latest.current = list;
  const { isBusy, run } = useAction(async () => {
    const cursor = list.data!.next!;
    const { items, next } = await read(cursor, {});
    // Rows may have come or gone meanwhile. If the list was read again, this page no longer continues it.
    const now = latest.current.data!;
    if (now.next === cursor) list.replace({ ...now, items: [...now.items, ...items], next, isGrown: true });
  }, `${rows} could not be loaded`);
  return { ...list, isBusy, more: run, isGrown: list.data?.isGrown === true && !list.isOld };
}

interface MoreButtonProps {
  pages: Pick<Pages<Listed>, "data" | "isBusy" | "more">;
  says: string;
}

/** The button that appends the next page; nothing after the last one. */
export function MoreButton({ pages: { data, isBusy, more }, says }: MoreButtonProps) {
  if (data?.next == null) return null;
  return (
    <div class="actions more-rows">
      <Button onClick={more} disabled={isBusy}>
        {says}
      </Button>
    </div>
  );
}

/** Reloads data at an interval while the page is visible and `isOn` is true. */
export function useSteadily(
  resource: Pick<Resource<unknown>, "isLoading" | "reload">,
  everyMs: number,
  isOn = true,
): void {
  const latest = useRef(resource);
  latest.current = resource;
  useEffect(() => {
    if (!isOn) return undefined;
    const timer = setInterval(() => {
      const { isLoading, reload } = latest.current;
      // Waits for a slow answer: starting again each time would never finish.
      if (document.visibilityState === "visible" && !isLoading) reload();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs, isOn]);
}
