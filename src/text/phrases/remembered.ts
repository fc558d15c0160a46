/** About 100 bytes each, so that a memory takes half a megabyte at most. The words of 10,000 requests are about 3,000 where they are looked at. */
const MOST_REMEMBERED = 5000;
const LONGEST_REMEMBERED = 40;

/** A pure function of words that remembers its results; all are forgotten when there are too many. */
export function remembered<Result>(resultOf: (word: string) => Result & {}): (word: string) => Result & {} {
  const results = new Map<string, Result & {}>();
  return (word) => {
    const known = results.get(word);
    if (known !== undefined) return known;
    const result = resultOf(word);
    if (word.length > LONGEST_REMEMBERED) return result;
    if (results.size >= MOST_REMEMBERED) results.clear();
    results.set(copyOf(word), result);
    return result;
  };
}

/** A part of a text keeps the whole in memory; a copy does not. */
const copyOf = (word: string): string => ` ${word}`.slice(1);
