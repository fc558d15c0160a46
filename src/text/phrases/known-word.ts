/**
 * Words cached before the older half is dropped, so up to twice as many, about a kilobyte each. Even after thousands of English requests
 * each adds about one new word.
 */
const MAX_REMEMBERED = 5000;
const MAX_REMEMBERED_LENGTH = 40;

/** Caches the results of a pure function of words. When the cache is full, results that were not used recently are dropped. */
export function remembered<Result>(resultOf: (word: string) => Result & {}): (word: string) => Result & {} {
  let older = new Map<string, Result & {}>();
  let newer = new Map<string, Result & {}>();
  return (word) => {
    const known = newer.get(word);
    if (known !== undefined) return known;
    const result = older.get(word) ?? resultOf(word);
    if (word.length > MAX_REMEMBERED_LENGTH) return result;
    if (newer.size >= MAX_REMEMBERED) [older, newer] = [newer, new Map()];
    newer.set(copyOf(word), result);
    return result;
  };
}

/** A substring keeps the whole text in memory; a copy does not. */
const copyOf = (word: string): string => ` ${word}`.slice(1);

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
