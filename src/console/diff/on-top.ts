import { diffArrays } from "diff";

/** Lines `from` to `to` (exclusive) of a text that were replaced. */
interface Hunk {
  from: number;
  to: number;
  lines: string[];
}

function hunksOf(before: string[], after: string[]): Hunk[] {
  const hunks: Hunk[] = [];
  let at = 0;
  let isOpen = false;
  for (const { value, added, removed } of diffArrays(before, after)) {
    if (!added && !removed) {
      at += value.length;
      isOpen = false;
      continue;
    }
    if (!isOpen) hunks.push({ from: at, to: at, lines: [] });
    isOpen = true;
    const hunk = hunks.at(-1)!;
    if (added) hunk.lines.push(...value);
    else at = hunk.to += value.length;
  }
  return hunks;
}

/** Result of applying one's own changes to a newer text. */
interface OnTop {
  text: string;
  /** Number of places where both sides changed the same lines; one's own text was kept there. */
  overruled: number;
}

/**
 * Applies the changes from `base` to `mine` to `theirs`. Where both changed the same lines, `mine` wins. Line breaks are those of `theirs`.
 */
export function putOnTop(base: string, mine: string, theirs: string): OnTop {
  const split = (text: string) => text.split(/\r?\n/);
  const original = split(base);
  const own = hunksOf(original, split(mine));
  const others = hunksOf(original, split(theirs));
  const same = (one: Hunk, two: Hunk) =>
    one.from === two.from && one.to === two.to && one.lines.join("\n") === two.lines.join("\n");
  const touches = (one: Hunk, two: Hunk) =>
    (one.from < two.to && two.from < one.to) || (one.from === two.from && one.to === two.to);
  const fromThem = others.filter((hunk) => !own.some((other) => touches(hunk, other)));
  const overruled = others.filter((hunk) => own.some((other) => touches(hunk, other) && !same(hunk, other)));
  const hunks = [...own, ...fromThem].toSorted((one, two) => one.from - two.from || one.to - two.to);
  const eol = theirs.includes("\r\n") ? "\r\n" : "\n";
  return { text: withHunks(original, hunks).join(eol), overruled: overruled.length };
}

function withHunks(original: readonly string[], hunks: readonly Hunk[]): string[] {
  const result: string[] = [];
  let at = 0;
  for (const { from, to, lines } of hunks) {
    result.push(...original.slice(at, from), ...lines);
    at = Math.max(at, to);
  }
  return [...result, ...original.slice(at)];
}
