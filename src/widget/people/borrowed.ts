import type * as Preact from "preact";

type Borrowed = Pick<typeof Preact, "h" | "render">;

/**
 * Stands for Preact in this chunk: the panel's own, so that it is loaded once.
 *
 * @public The build puts this file in the place of `preact`.
 */
export let h: Borrowed["h"];
/** @public See `h`. */
export let render: Borrowed["render"];

/** Call before anything is drawn. */
export function borrowPreact(preact: Borrowed): void {
  ({ h, render } = preact);
}
