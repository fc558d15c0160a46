/** Rows that one statement writes: few enough for each number of them to have a statement of its own. */
export const ROWS_AT_ONCE = 20;

/** Rows that one statement looks up: it takes a few milliseconds, in which SQLite lets nobody else in. */
export const LOOKED_UP_AT_ONCE = 50;

/** A list in parts of at most so many items. */
export function* stepsOf<Item>(items: readonly Item[], most: number): Generator<Item[]> {
  for (let from = 0; from < items.length; from += most) yield items.slice(from, from + most);
}
