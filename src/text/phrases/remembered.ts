/** Requests in English hold a new word each, after thousands of them; twice so many words are kept at most, about a kilobyte each. */
const MOST_REMEMBERED = 5000;
const LONGEST_REMEMBERED = 40;

/** A pure function of words that remembers its results. When there are too many, those are forgotten that were not asked for lately. */
export function remembered<Result>(resultOf: (word: string) => Result & {}): (word: string) => Result & {} {
  let older = new Map<string, Result & {}>();
  let newer = new Map<string, Result & {}>();
  return (word) => {
    const known = newer.get(word);
    if (known !== undefined) return known;
    const result = older.get(word) ?? resultOf(word);
    if (word.length > LONGEST_REMEMBERED) return result;
    if (newer.size >= MOST_REMEMBERED) [older, newer] = [newer, new Map()];
    newer.set(copyOf(word), result);
    return result;
  };
}

/** A part of a text keeps the whole in memory; a copy does not. */
const copyOf = (word: string): string => ` ${word}`.slice(1);
