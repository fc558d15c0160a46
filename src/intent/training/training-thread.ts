import { workerUrl } from "../worker-url.ts";
import type { IntentExamples } from "./examples.ts";
import type { TrainingResult } from "./train.ts";
import type { Report } from "./training-set.ts";

/** What the training thread sends, last of all the result. */
export type TrainingNews =
  | { kind: "progress"; done: number }
  | { kind: "final"; result: TimedTrainingResult };

export interface TimedTrainingResult extends TrainingResult {
  /** Milliseconds on the thread, its start aside. */
  trainMs: number;
}

/** `trainIntentModel` on a thread of its own, one bot after another, so that the main loop stays free. */
export class TrainingThread implements Disposable {
  readonly #worker: Worker;

  constructor(url = workerUrl("training/training-worker.ts")) {
    this.#worker = new Worker(url);
  }

  /** @throws Error when the thread fails, with its message. */
  train(
    intents: readonly IntentExamples[],
    { report }: { report?: Report } = {},
  ): Promise<TimedTrainingResult> {
    const listening = new AbortController();
    const { signal } = listening;
    const { promise, resolve, reject } = Promise.withResolvers<TimedTrainingResult>();
    const onNews = ({ data }: MessageEvent<TrainingNews>) => {
      if (data.kind === "progress") report?.(data.done);
      else resolve(data.result);
    };
    this.#worker.addEventListener("message", onNews, { signal });
    this.#worker.addEventListener(
      "error",
      ({ message }) => reject(new Error(`training failed: ${message}`)),
      { signal },
    );
    this.#worker.postMessage(intents, []);
    return promise.finally(() => listening.abort());
  }

  [Symbol.dispose](): void {
    this.#worker.terminate();
  }
}
