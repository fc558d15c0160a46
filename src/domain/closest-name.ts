/**
 * The candidate that a mistyped name most likely meant, or none when nothing is near: at most one edit (insertion,
 * deletion, replacement) for every three characters of the longer name.
 */
export function closestName(name: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestShare = 1 / 3;
  for (const candidate of candidates) {
    const share = editDistance(name, candidate) / Math.max(name.length, candidate.length, 1);
    if (share <= bestShare && (best === undefined || share < bestShare)) {
      best = candidate;
      bestShare = share;
    }
  }
  return best;
}

/** Levenshtein distance in UTF-16 units. */
export function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const replaced = previous[column - 1]! + (left[row - 1] === right[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, previous[column]! + 1, current[column - 1]! + 1));
    }
    previous = current;
  }
  return previous[right.length]!;
}
