import { dotOfRow, type QuantisedRows, quantiseVectors } from "../intent/classifier.ts";
import { textsOfPassage } from "../knowledge/passage-texts.ts";
import type { Passage } from "../knowledge/passage.ts";
import type { PassageMeaning } from "../knowledge/weigh-passages.ts";

/** Returns a text's vector; undefined if it is blank. */
export type MeaningOfText = (text: string) => Promise<Float32Array | undefined>;

/** The vectors of a passage's texts, with one byte per number. */
export class PassageRows implements PassageMeaning {
  readonly #rows: QuantisedRows;
  /** Number of rows for its heading and windows; those of its sentences follow. */
  readonly #whole: number;

  constructor(whole: readonly Float32Array[], sentences: readonly Float32Array[]) {
    this.#rows = quantiseVectors([...whole, ...sentences]);
    this.#whole = whole.length;
  }

  get byteLength(): number {
    return this.#rows.cells.byteLength + this.#rows.scales.byteLength;
  }

  cosinesTo(reading: Float32Array): ReturnType<PassageMeaning["cosinesTo"]> {
    const cosines = Array.from(this.#rows.scales, (_, row) => dotOfRow(this.#rows, row, reading));
    return { whole: cosines.slice(0, this.#whole), sentences: cosines.slice(this.#whole) };
  }
}

/** The vectors of a passage's texts. @param language of the passage, as a BCP 47 tag. */
export async function rowsOfPassage(
  passage: Passage,
  language: string,
  meaningOf: MeaningOfText,
): Promise<PassageRows> {
  const { whole, sentences } = textsOfPassage(passage, language);
  return new PassageRows(await encodeAll(whole, meaningOf), await encodeAll(sentences, meaningOf));
}

async function encodeAll(texts: readonly string[], meaningOf: MeaningOfText): Promise<Float32Array[]> {
  const vectors = await Promise.all(texts.map((text) => meaningOf(text)));
  return vectors.filter((vector) => vector !== undefined);
}
