/**
 * Entry of the training thread: intents in, `TrainingNews` out, the last for each bot of kind `final`. An entry point of its own in the
 * compiled executable; `TrainingThread` knows its address.
 */
import type { IntentExamples } from "./examples.ts";
import { trainIntentModel } from "./train.ts";
import type { TrainingNews } from "./training-thread.ts";

declare const self: {
  addEventListener(type: "message", listen: (event: MessageEvent<readonly IntentExamples[]>) => void): void;
  postMessage(news: TrainingNews, transfer: ArrayBufferLike[]): void;
};

self.addEventListener("message", ({ data: intents }) => {
  const startedAt = performance.now();
  const result = trainIntentModel(intents, {
    report: (done) => self.postMessage({ kind: "progress", done }, []),
  });
  const trainMs = performance.now() - startedAt;
  self.postMessage({ kind: "final", result: { ...result, trainMs } }, [
    result.model.buffer,
    ...(result.sentences ? [result.sentences.buffer] : []),
  ]);
});
