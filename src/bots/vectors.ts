import { dotOfRow, type QuantisedRows, quantiseVectors } from "../intent/classifier.ts";
import { textsOfPassage } from "../knowledge/passage-texts.ts";
import type { Passage } from "../knowledge/passage.ts";
import type { PassageMeaning } from "../knowledge/weigh-passages.ts";

/** How to read passages whose texts are needed. */
export interface PassageReading {
  /** Language of the passages, as a BCP 47 tag; it determines where sentences end. */
  language: string;
  /** Reads passages by id; deleted ones are left out. */
  read: (ids: readonly number[]) => Promise<ReadonlyMap<number, Passage>>;
}

/** Provides the vectors of passages. */
export interface Vectors {
  /**
   * The vectors of passages by id, in the given order; deleted ones are left out.
   *
   * @throws NotEncodedError; Error when the encoder fails.
   */
  ofPassages(ids: readonly number[], reading: PassageReading): Promise<ReadonlyMap<number, PassageMeaning>>;
}

/** There are no vectors now: the passages are not encoded yet, or there is no encoder. */
export class NotEncodedError extends Error {
  readonly reason: "not_ready" | "off";

  constructor(reason: "not_ready" | "off") {
    super(reason === "off" ? "there is no encoder" : "the encoder has yet to read these passages");
    this.reason = reason;
  }
}

/** For a server without an encoder. */
export const NO_VECTORS: Vectors = {
  ofPassages: () => Promise.reject(new NotEncodedError("off")),
};

/** Returns a text's vector; undefined if it is blank. */
type MeaningOfText = (text: string) => Promise<Float32Array | undefined>;

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
