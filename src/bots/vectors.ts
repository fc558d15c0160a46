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
