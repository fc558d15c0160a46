import { hashWordText } from "../text/word-hash.ts";
import { WORD } from "./characters.ts";
import { type Question, type Unit, visitGrams } from "./question.ts";
import { foldText, hashPrefix, visitUnits } from "./terms.ts";

/** Factor for a word that is similar, but not equal. Chosen together with the bounds below on the tune half. */
const LIKENESS = 0.9;
const MAX_ALIKE = 0.95;
const MIN_COMMON_PREFIX = 0.5;
/** Least share of the grams of two words that they have in common. */
const MIN_COMMON_GRAMS = 0.4;
/** Finds a question's units in the texts of a passage. */
export class QuestionReader {
  readonly #question: Question;
  readonly gramCounts: Float64Array;
  gramLength = 0;
  /** For the current word: number of grams in common with each unit. */
  readonly #common: Uint8Array;
  readonly #touched: number[] = [];

  constructor(question: Question) {
    this.#question = question;
    this.gramCounts = new Float64Array(question.grams.size);
    this.#common = new Uint8Array(question.units.length);
  }

  /** @returns for each unit, the similarity of the most similar word of the text. */
  read(text: string): Float64Array {
    const likest = new Float64Array(this.#question.units.length);
    const folded = foldText(text);
    visitUnits(folded, (start, end, kind) => {
      const word = folded.slice(start, end);
      const exact = this.#question.byHash.get(hashWordText(word));
      const count = (place: number, likeness: number) => {
        if (likeness > likest[place]!) likest[place] = likeness;
      };
      if (exact !== undefined) count(exact, 1);
      if (kind === WORD) this.#readWord(folded, start, end, word, exact, count);
      else this.#readOther(exact);
    });
    return likest;
  }

  /** A unit that is no word has itself as its only gram. */
  #readOther(exact: number | undefined): void {
    this.gramLength++;
    if (exact !== undefined) for (const gram of this.#question.units[exact]!.grams) this.gramCounts[gram]!++;
  }

  #readWord(
    folded: string,
    start: number,
    end: number,
    word: string,
    exact: number | undefined,
    count: (place: number, likeness: number) => void,
  ): void {
    const { units } = this.#question;
    const grams = this.#countGrams(folded, start, end);
    for (const place of this.#touched) {
      const unit = units[place]!;
      if (place !== exact && !unit.isNumber) {
        const likeness = likenessOf(unit, word, this.#common[place]!, grams);
        if (likeness > 0) count(place, likeness);
      }
      this.#common[place] = 0;
    }
    this.#touched.length = 0;
  }

  #countGrams(folded: string, start: number, end: number): number {
    let length = 0;
    const { grams, unitsOfGram } = this.#question;
    visitGrams(folded, start, end, (hash) => {
      length++;
      const gram = grams.get(hash);
      if (gram === undefined) return;
      this.gramCounts[gram]!++;
      for (const place of unitsOfGram[gram]!) if (this.#common[place]!++ === 0) this.#touched.push(place);
    });
    this.gramLength += length;
    return length;
  }
}

/** Similarity of a word to a unit of the question; 0 if they do not match. */
function likenessOf(unit: Unit, word: string, commonGrams: number, grams: number): number {
  const byPrefix = commonPrefix(unit.text, word);
  const share = (2 * byPrefix) / (unit.text.length + word.length);
  const begins = unit.prefix !== undefined && unit.prefix === hashPrefix(word) && share >= MIN_COMMON_PREFIX;
  const common = (2 * commonGrams) / (unit.grams.length + grams);
  const best = Math.max(begins ? share : 0, common >= MIN_COMMON_GRAMS ? common : 0);
  return LIKENESS * Math.min(MAX_ALIKE, best);
}

function commonPrefix(left: string, right: string): number {
  const most = Math.min(left.length, right.length);
  let length = 0;
  while (length < most && left.charCodeAt(length) === right.charCodeAt(length)) length++;
  return length;
}
