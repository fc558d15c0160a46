/** Letters of a stem, at least. */
const SHORTEST_STEM = 3;
/** Words of no more letters often differ by a diacritic alone: è and e, où and ou, más and mas. Chosen by hand. */
const LONGEST_TOLD_BY_DIACRITIC = 5;

/** Where a word was found. */
export interface FoundWord {
  /** English words. */
  gloss: string;
  /** How many of the word's letters the entry covers; all where the word itself is listed. */
  length: number;
}

/** English for words and for stems, of which a word may begin with several: the longest counts. */
export class WordTable {
  readonly #words = new Map<string, string>();
  /** Short words with diacritics, by their spelling; and without, for those who leave them out. */
  readonly #spellings = new Map<string, string>();
  readonly #plainSpellings = new Map<string, string>();
  readonly #stems = new Map<string, string>();
  #longestStem = 0;

  /**
   * An entry that is there already stays.
   * @param word normalised; a `*` at its end makes it a stem.
   * @param spelling the same with its diacritics.
   */
  add(word: string, gloss: string, spelling = word): void {
    if (word.endsWith("*")) {
      this.#longestStem = Math.max(this.#longestStem, word.length - 1);
      addNew(this.#stems, word.slice(0, -1), gloss);
    } else if (word !== spelling && spelling.length <= LONGEST_TOLD_BY_DIACRITIC) {
      addNew(this.#spellings, spelling, gloss);
      addNew(this.#plainSpellings, word, gloss);
    } else {
      addNew(this.#words, word, gloss);
    }
  }

  /**
   * The word itself, or else the longest stem that it begins with.
   * @param spelling the word with its diacritics.
   */
  find(word: string, spelling = word): FoundWord | undefined {
    const gloss = this.#spellings.get(spelling) ?? this.#words.get(word) ?? this.#plainSpellings.get(word);
    return gloss === undefined ? this.#findStem(word) : { gloss, length: word.length };
  }

  #findStem(word: string): FoundWord | undefined {
    for (let length = Math.min(word.length, this.#longestStem); length >= SHORTEST_STEM; length--) {
      const gloss = this.#stems.get(word.slice(0, length));
      if (gloss !== undefined) return { gloss, length };
    }
    return undefined;
  }
}

function addNew(table: Map<string, string>, key: string, value: string): void {
  if (!table.has(key)) table.set(key, value);
}
