/**
 * Entry of the training thread: `TrainingOrder` in, `TrainingNews` out, the last for each bot of kind `final`. An entry point of its own in
 * the compiled executable; `TrainingThread` knows its address.
 */
import { fitSentences } from "./fit-sentences.ts";
import { trainIntentModel, type TrainingResult } from "./train.ts";
import type { TrainingNews, TrainingOrder } from "./training-thread.ts";

declare const self: {
  addEventListener(type: "message", listen: (event: MessageEvent<TrainingOrder>) => void): void;
  postMessage(news: TrainingNews, transfer: ArrayBufferLike[]): void;
};

self.addEventListener("message", ({ data: order }) => {
  const result = resultOf(order);
  const parts = [result.model, result.sentences].flatMap((bytes) => bytes?.buffer ?? []);
  self.postMessage({ kind: "final", result }, parts);
});

function resultOf({ intents, vectors, isForSentences }: TrainingOrder): Partial<TrainingResult> {
  const vectorOf = vectors && ((text: string) => vectors.get(text));
  if (isForSentences) {
    const sentences = vectorOf && fitSentences(intents, vectorOf);
    return { ...(sentences && { sentences }) };
  }
  return trainIntentModel(intents, {
    ...(vectorOf && { vectorOf }),
    report: (done) => self.postMessage({ kind: "progress", done }, []),
  });
}
