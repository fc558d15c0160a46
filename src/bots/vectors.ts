/** Who says what messages and passages mean. */
export interface Vectors {
  /**
   * Of a message: asked once, and not to be kept.
   *
   * @param passages ids of those that it is compared with.
   * @throws NoMeaningError; Error when the encoder fails.
   */
  findOnce(text: string, passages: readonly number[]): Promise<Float32Array | undefined>;
  /** Of the title or a sentence of one of the passages. @throws as `findOnce`. */
  find(text: string, passages: readonly number[]): Promise<Float32Array | undefined>;
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
  findOnce: () => Promise.reject(new NoMeaningError("off")),
  find: () => Promise.reject(new NoMeaningError("off")),
};
