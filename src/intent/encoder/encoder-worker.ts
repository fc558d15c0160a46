/**
 * Entry of the encoding thread: `EncodingOrder` in, `EncodingNews` out. An entry point of its own in the compiled executable;
 * `EncoderThread` knows its address.
 */
import { encodeSentence } from "./encoded-sentence.ts";
import type { EncodingNews, EncodingOrder } from "./encoder-thread.ts";

declare const self: {
  addEventListener(type: "message", listen: (event: MessageEvent<EncodingOrder>) => void): void;
  postMessage(news: EncodingNews, transfer: ArrayBufferLike[]): void;
};

self.addEventListener("message", ({ data: { number, text } }) => {
  const sentence = encodeSentence(text);
  self.postMessage({ number, sentence }, sentence ? [sentence.vector.buffer] : []);
});
