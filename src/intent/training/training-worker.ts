/**
 * Entry of the training thread: `TrainingOrder` in, `TrainingNews` out, the last for each bot of kind `final`. An entry point of its own in
 * the compiled executable; `TrainingThread` knows its address.
 */
import { trainIntentModel } from "./train.ts";
import type { TrainingNews, TrainingOrder } from "./training-thread.ts";

declare const self: {
  addEventListener(type: "message", listen: (event: MessageEvent<TrainingOrder>) => void): void;
  postMessage(news: TrainingNews, transfer: ArrayBufferLike[]): void;
};

self.addEventListener("message", ({ data: { intents, vectors } }) => {
  const result = trainIntentModel(intents, {
    vectorOf: (text) => vectors.get(text),
    report: (done) => self.postMessage({ kind: "progress", done }, []),
  });
  self.postMessage({ kind: "final", result }, [
    result.model.buffer,
    ...(result.sentences ? [result.sentences.buffer] : []),
  ] as ArrayBuffer[]);
});
