/** Encoding more examples takes long and gains little: 1,650 take 2.8 s to encode and 1.4 s to solve. */
export const MOST_ENCODED = 1000;

/**
 * Indexes of the examples to encode: all up to the maximum; otherwise equally many of each intent as far as it has them, evenly spread.
 * None if there are more intents than the maximum, because a model of only some intents would favour these. Deterministic. @param intents
 * the intent of each example, from 0 up to `intentCount`.
 */
export function chooseExamples(
  intents: ArrayLike<number>,
  intentCount: number,
  most = MOST_ENCODED,
): number[] {
  if (intentCount > most) return [];
  const byIntent = Array.from({ length: intentCount }, (): number[] => []);
  for (let i = 0; i < intents.length; i++) byIntent[intents[i]!]!.push(i);
  const quota = greatestQuota(
    byIntent.map((examples) => examples.length),
    most,
  );
  return byIntent.flatMap((examples) => spread(examples, quota)).toSorted((a, b) => a - b);
}

/** Largest number per intent for which the total is within the maximum. */
function greatestQuota(counts: readonly number[], most: number): number {
  const total = (quota: number) => counts.reduce((sum, count) => sum + Math.min(count, quota), 0);
  const greatest = Math.max(0, ...counts);
  let quota = Math.min(greatest, Math.floor(most / Math.max(1, counts.length)));
  while (quota < greatest && total(quota + 1) <= most) quota++;
  return quota;
}

function spread(examples: readonly number[], quota: number): number[] {
  if (examples.length <= quota) return [...examples];
  return Array.from({ length: quota }, (_, i) => examples[Math.floor((i * examples.length) / quota)]!);
}
