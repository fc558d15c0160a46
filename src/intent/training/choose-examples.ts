/** To encode more takes long and gains little: 1,650 take 2.8 s, and to solve for them 1.4 s. */
export const MOST_ENCODED = 1000;

/**
 * The numbers of the examples to encode, in order: all where there are at most so many; otherwise as many of each intent as of any other,
 * as far as it has them, spread over those it has. None where there are more intents than that, as a model that knows only some of them
 * would favour these. The same for the same intents.
 * @param intents of each example, from 0 up to `intentCount`.
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

/** The most that each intent may have, so that all together have at most so many. */
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
