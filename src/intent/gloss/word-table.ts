/** Letters of a stem, at least. */
const SHORTEST_STEM = 3;

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
  readonly #stems = new Map<string, string>();
  #longestStem = 0;

  /** An entry that is there already stays. @param word normalised; a `*` at its end makes it a stem. */
  add(word: string, gloss: string): void {
    if (word.endsWith("*")) {
      this.#longestStem = Math.max(this.#longestStem, word.length - 1);
      addNew(this.#stems, word.slice(0, -1), gloss);
    } else {
      addNew(this.#words, word, gloss);
    }
  }

  /** The word itself, or else the longest stem that it begins with. @param word normalised. */
  find(word: string): FoundWord | undefined {
    const gloss = this.#words.get(word);
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
