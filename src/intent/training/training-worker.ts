/**
 * Entry of the training thread: `TrainingOrder` in, `TrainingNews` out, the last of each order of kind `final`.
 * An entry point of its own in the compiled executable; see `TrainingThread` for its address.
 */
import type { TrainingNews, TrainingOrder } from "./train-in-worker.ts";
import { trainIntentModel } from "./train.ts";

declare const self: {
  addEventListener(type: "message", listen: (event: MessageEvent<TrainingOrder>) => void): void;
  postMessage(news: TrainingNews, transfer: ArrayBufferLike[]): void;
};

self.addEventListener("message", ({ data: { intents, seed } }) => {
  const startedAt = performance.now();
  const result = trainIntentModel(intents, {
    ...(seed === undefined ? {} : { seed }),
    report: (done) => self.postMessage({ kind: "progress", done }, []),
    onReady: (model) => self.postMessage({ kind: "ready", model }, [model.buffer]),
  });
  const trainMs = performance.now() - startedAt;
  self.postMessage({ kind: "final", result: { ...result, trainMs } }, [result.model.buffer]);
});
