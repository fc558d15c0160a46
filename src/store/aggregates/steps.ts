/** Rows that one statement writes. Few, so that a prepared statement for each possible number of rows stays affordable. Chosen by hand. */
export const ROWS_AT_ONCE = 20;

/** Rows that one statement looks up. It takes a few milliseconds, in which SQLite serves no other request. Chosen by hand. */
export const LOOKED_UP_AT_ONCE = 50;

/** A list in parts of at most so many items. */
export function* stepsOf<Item>(items: readonly Item[], most: number): Generator<Item[]> {
  for (let from = 0; from < items.length; from += most) yield items.slice(from, from + most);
}
