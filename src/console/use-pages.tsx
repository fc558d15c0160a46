import { h } from "preact";

import { type Resource, useResource } from "./api/resource.ts";
import { Button } from "./parts/button.tsx";
import { useOnce } from "./use-once.ts";

/** The rows of a list that were read so far. */
interface Listed<Row> {
  readonly items: readonly Row[];
  /** Cursor of the next page; null: there is none. */
  readonly next: string | null;
  /** More than the first page was read. */
  readonly isGrown?: boolean;
}

/** A list that is read page by page. */
export interface Pages<Row> extends Resource<Listed<Row>> {
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
export function usePages<Row>(
  key: string,
  rows: string,
  read: (cursor: string | undefined, extras: { signal?: AbortSignal }) => Promise<Listed<Row>>,
): Pages<Row> {
  const list = useResource<Listed<Row>>(key, (signal) => read(undefined, { signal }));
  const { isBusy, run } = useOnce(async () => {
    const { items, next } = list.data!;
    const page = await read(next!, {});
    list.replace({ items: [...items, ...page.items], next: page.next, isGrown: true });
  }, `${rows} could not be loaded`);
  return { ...list, isBusy, more: run, isGrown: list.data?.isGrown === true && !list.isOld };
}

interface MoreButtonProps {
  pages: Pick<Pages<unknown>, "data" | "isBusy" | "more">;
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
