/**
 * The candidate that a mistyped name most likely meant, or none when nothing is near. Near are candidates within one edit
 * (insertion, deletion, replacement, swap of neighbours) for every three characters of the longer name. Where there is none, the
 * shortest candidate that begins with the name is taken.
 */
export function closestName(name: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestShare = 1 / 3;
  let continued: string | undefined;
  for (const candidate of candidates) {
    const share = editDistance(name, candidate) / Math.max(name.length, candidate.length, 1);
    if (share < bestShare || (share === bestShare && best === undefined)) {
      best = candidate;
      bestShare = share;
    }
    if (name.length > 1 && candidate.startsWith(name) && candidate.length < (continued?.length ?? Infinity)) {
      continued = candidate;
    }
  }
  return best ?? continued;
}

/** "; did you mean `x`?" for the end of an error message, or nothing when no candidate is near. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const closest = closestName(name, candidates);
  return closest === undefined ? "" : `; did you mean \`${closest}\`?`;
}

/** Damerau–Levenshtein distance (optimal string alignment) in UTF-16 units. */
export function editDistance(left: string, right: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1];
      const swapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      current.push(
        Math.min(
          previous[column - 1]! + (same ? 0 : 1),
          previous[column]! + 1,
          current[column - 1]! + 1,
          swapped && row > 1 && column > 1 ? beforePrevious[column - 2]! + 1 : Infinity,
        ),
      );
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[right.length]!;
}
