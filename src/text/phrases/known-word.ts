/** A normalised word, with what was found out about it. */
export class KnownWord {
  readonly text: string;
  readonly facts: unknown[] = [];

  constructor(text: string) {
    this.text = text;
  }
}

let facts = 0;

/** A pure function of words whose results are kept with them, so that they cost one look at the word and are forgotten along with it. */
export function keptWithWord<Fact>(factOf: (text: string) => Fact & {}): (word: KnownWord) => Fact & {} {
  const place = facts++;
  return (word) => {
    const known = word.facts[place] as (Fact & {}) | undefined;
    return known ?? (word.facts[place] = factOf(word.text));
  };
}
