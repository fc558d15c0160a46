import { remembered } from "./remembered.ts";

/** A normalised word, with what was found out about it. */
export class KnownWord {
  readonly text: string;
  /** By the functions that found it out. */
  readonly facts = new Map<unknown, unknown>();

  constructor(text: string) {
    this.text = text;
  }
}

/** A normalised word, and what was found out about it before. */
export const knownWord = remembered((text) => new KnownWord(text));

/** A pure function of words whose results are kept with them, and so are forgotten along with them. */
export function keptWithWord<Fact>(factOf: (text: string) => Fact & {}): (word: KnownWord) => Fact & {} {
  return ({ text, facts }) => {
    const known = facts.get(factOf) as (Fact & {}) | undefined;
    if (known !== undefined) return known;
    const fact = factOf(text);
    facts.set(factOf, fact);
    return fact;
  };
}
