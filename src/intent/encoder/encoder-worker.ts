/**
 * Entry of the encoding thread: `EncodingOrder` in, `EncodingNews` out. An entry point of its own in the compiled executable; see
 * `TrainingThread` for its address.
 */
import type { EncodingNews, EncodingOrder } from "./encoder-thread.ts";
import { openSentenceEncoder } from "./sentence-encoder.ts";

declare const self: {
  addEventListener(type: "message", listen: (event: MessageEvent<EncodingOrder>) => void): void;
  postMessage(news: EncodingNews, transfer: ArrayBufferLike[]): void;
};

self.addEventListener("message", ({ data: { number, text } }) => {
  const vector = openSentenceEncoder()?.encodeCentred(text);
  self.postMessage({ number, vector }, vector ? [vector.buffer] : []);
});
