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
   * @throws NoMeaningError; Error when the encoder fails.
   */
  ofPassages(ids: readonly number[], reading: PassageReading): Promise<ReadonlyMap<number, PassageMeaning>>;
}

/** There are no vectors now: the passages are not encoded yet, or there is no encoder. */
export class NoMeaningError extends Error {
  readonly reason: "not_ready" | "off";

  constructor(reason: "not_ready" | "off") {
    super(reason === "off" ? "there is no encoder" : "the encoder has yet to read these passages");
    this.reason = reason;
  }
}

/** For a server without an encoder. */
export const NO_VECTORS: Vectors = {
  ofPassages: () => Promise.reject(new NoMeaningError("off")),
};
