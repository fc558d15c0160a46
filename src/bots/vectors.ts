/** Who says what passages mean. */
export interface Vectors {
  /**
   * Of a text of one of the passages.
   *
   * @param passages their ids.
   * @throws NoMeaningError; Error when the encoder fails.
   */
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
  find: () => Promise.reject(new NoMeaningError("off")),
};
