import type { Random } from "../../../src/intent/training/random.ts";

export function pickOne<T>(values: readonly T[], random: Random): T {
  return values[Math.floor(random() * values.length)]!;
}

/** Picks different items in random order; all of them if there are not more. */
export function pickMany<T>(values: readonly T[], count: number, random: Random): T[] {
  const rest = [...values];
  for (let i = 0; i < Math.min(count, rest.length); i++) {
    const j = i + Math.floor(random() * (rest.length - i));
    [rest[i], rest[j]] = [rest[j]!, rest[i]!];
  }
  return rest.slice(0, count);
}
