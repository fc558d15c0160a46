import { remembered } from "./remembered.ts";

/** A normalised word with cached facts. */
export class KnownWord {
  readonly text: string;
  /** By the functions that computed them. */
  readonly facts = new Map<unknown, unknown>();

  constructor(text: string) {
    this.text = text;
  }
}

/** A normalised word with the facts computed before. */
export const knownWord = remembered((text) => new KnownWord(text));

/** Caches the results of a pure function with the words, so that they are evicted together. */
export function keptWithWord<Fact>(factOf: (text: string) => Fact & {}): (word: KnownWord) => Fact & {} {
  return ({ text, facts }) => {
    const known = facts.get(factOf) as (Fact & {}) | undefined;
    if (known !== undefined) return known;
    const fact = factOf(text);
    facts.set(factOf, fact);
    return fact;
  };
}
