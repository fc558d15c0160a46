import type * as Preact from "preact";

import type * as Reading from "../../client/read-events.ts";

/** Code shared with the panel, so that it is loaded once. */
export type Borrowed = Pick<typeof Preact, "h" | "render"> & Pick<typeof Reading, "readEvents">;

/**
 * Replaces Preact in this chunk.
 *
 * @public The build replaces `preact` and `read-events.ts` by this file.
 */
export let h: Borrowed["h"];
/** @public See `h`. */
export let render: Borrowed["render"];
/** @public See `h`. */
export let readEvents: Borrowed["readEvents"];

/** Call before anything is drawn. */
export function borrow(borrowed: Borrowed): void {
  ({ h, render, readEvents } = borrowed);
}
