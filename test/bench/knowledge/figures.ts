/** AUROC: how often a value that should be high is above one that should be low; 0.5 is chance, 1 is never wrong. */
export function aurocOf(high: readonly number[], low: readonly number[]): number {
  const sorted = [
    ...high.map((value) => ({ value, isHigh: true })),
    ...low.map((value) => ({ value, isHigh: false })),
  ].toSorted((left, right) => left.value - right.value);
  let ranks = 0;
  for (let first = 0; first < sorted.length;) {
    let next = first;
    while (next < sorted.length && sorted[next]!.value === sorted[first]!.value) next++;
    // Equal values share their mean rank.
    const rank = (first + next + 1) / 2;
    for (let i = first; i < next; i++) if (sorted[i]!.isHigh) ranks += rank;
    first = next;
  }
  return (ranks - (high.length * (high.length + 1)) / 2) / (high.length * low.length);
}

/** The share of values for which `holds` is true; NaN without values. */
export function shareOf<T>(values: readonly T[], holds: (value: T) => boolean): number {
  return values.filter(holds).length / values.length;
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The value below which `share` of the values lie. */
export function quantileOf(values: readonly number[], share: number): number {
  return values.toSorted((left, right) => left - right)[
    Math.min(values.length - 1, Math.floor(share * values.length))
  ]!;
}
