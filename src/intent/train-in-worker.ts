import type { IntentExamples } from "./examples.ts";
import type { TrainingOptions, TrainingResult } from "./train.ts";

/** What the training thread is sent. */
export interface TrainingOrder {
  intents: readonly IntentExamples[];
  seed: number | undefined;
}

/** What the training thread sends. */
export type TrainingNews =
  | { kind: "progress"; done: number }
  | { kind: "ready"; model: Uint8Array }
  | { kind: "final"; result: TrainingResult };

/**
 * `trainIntentModel` on a thread of its own, which ends with it; the loop stays free.
 * @param workerUrl `new URL("./intent/training-worker.ts", import.meta.url)` in a file directly under `src/`: the one form that
 *   holds both from source and in the executable, where every module's `import.meta.url` is the executable's root. The build lists
 *   `src/intent/training-worker.ts` as a further entry point.
 * @throws Error when the thread fails, with its message.
 */
export async function trainInWorker(
  workerUrl: URL,
  intents: readonly IntentExamples[],
  options: TrainingOptions = {},
): Promise<TrainingResult> {
  const worker = new Worker(workerUrl);
  try {
    return await new Promise((resolve, reject) => {
      worker.addEventListener("message", ({ data }: MessageEvent<TrainingNews>) => {
        if (data.kind === "progress") options.report?.(data.done);
        else if (data.kind === "ready") options.onReady?.(data.model);
        else resolve(data.result);
      });
      worker.addEventListener("error", ({ message }) => reject(new Error(`training failed: ${message}`)));
      const order: TrainingOrder = { intents, seed: options.seed };
      worker.postMessage(order, []);
    });
  } finally {
    worker.terminate();
  }
}
