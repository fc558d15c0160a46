import { dotOfRow, type QuantisedRows, quantiseVectors } from "../intent/classifier.ts";
import { textsOfPassage } from "../knowledge/passage-texts.ts";
import type { Passage } from "../knowledge/passage.ts";
import type { PassageMeaning } from "../knowledge/weigh-passages.ts";

/** Where passages are read whose texts are not known yet. */
export interface PassageReading {
  /** Of the passages, as a BCP 47 tag: it says where sentences end. */
  language: string;
  /** Reads passages by id; those that are gone are left out. */
  read: (ids: readonly number[]) => Promise<ReadonlyMap<number, Passage>>;
}

/** Who says what passages mean. */
export interface Vectors {
  /**
   * What passages mean, by id, in the order asked for; those that are gone are left out.
   *
   * @throws NoMeaningError; Error when the encoder fails.
   */
  ofPassages(ids: readonly number[], reading: PassageReading): Promise<ReadonlyMap<number, PassageMeaning>>;
}

/** What texts mean cannot be said now: the encoder has yet to read the passages, or there is none. */
export class NoMeaningError extends Error {
  readonly reason: "not_ready" | "off";

  constructor(reason: "not_ready" | "off") {
    super(reason === "off" ? "there is no encoder" : "the encoder has yet to read these passages");
    this.reason = reason;
  }
}

/** Where a server runs without an encoder. */
export const NO_VECTORS: Vectors = {
  ofPassages: () => Promise.reject(new NoMeaningError("off")),
};

/** What a text means; undefined where it is blank. */
type MeaningOfText = (text: string) => Promise<Float32Array | undefined>;

/** The vectors of a passage's texts, at a byte a number. */
export class PassageRows implements PassageMeaning {
  readonly #rows: QuantisedRows;
  /** The first rows are of its heading and windows, the others of its sentences. */
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

/** What a passage means, by what its texts mean. @param language of the passage, as a BCP 47 tag. */
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
