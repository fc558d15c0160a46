import { workerUrl } from "../../domain/worker.ts";
import { EncoderThread } from "../encoder/encoder-thread.ts";
import { encodeTexts } from "./encode-texts.ts";
import type { IntentExamples } from "./examples.ts";
import { textsToEncode } from "./fit-sentences.ts";
import type { TrainingResult } from "./train.ts";
import type { Report } from "./training-set.ts";

/** Message to the training thread. */
export interface TrainingOrder {
  intents: readonly IntentExamples[];
  /** Vectors of the intents' texts; absent: not encoded. */
  vectors?: ReadonlyMap<string, Float32Array>;
  /** Only the encoder's model is requested. */
  isForSentences?: true;
}

/** Messages from the training thread; the last one is the result. */
export type TrainingNews =
  | { kind: "progress"; done: number }
  | { kind: "final"; result: Partial<TrainingResult> };

export interface TimedTrainingResult extends TrainingResult {
  /** Milliseconds for encoding and training, without the start of the thread. */
  trainMs: number;
}

interface TrainingThreadOptions {
  url?: URL;
  /** Encodes examples; default: the process's encoding thread, in the background queue. */
  encoder?: Pick<EncoderThread, "encode">;
}

/**
 * Share of a training's progress assigned to encoding: 79 to 94 % of its CPU time, for bots made of CLINC150's texts with 8 intents of 5
 * to 150 intents of 12 examples. Texts with cached vectors take no time.
 */
const ENCODING_SHARE = 0.9;

/** Runs `trainIntentModel` on a thread, one bot at a time, so that the main loop stays free. */
export class TrainingThread implements Disposable {
  readonly #worker: Worker;
  readonly #ownEncoder = new EncoderThread({ work: "background" });
  readonly #encoder: Pick<EncoderThread, "encode">;
  /** Rejects if the training thread fails, possibly while texts are being encoded. */
  readonly #failure = Promise.withResolvers<never>();
  #last: Promise<unknown> = Promise.resolve();

  constructor({
    url = workerUrl("intent/training/training-worker.ts"),
    encoder,
  }: TrainingThreadOptions = {}) {
    this.#worker = new Worker(url);
    this.#worker.addEventListener("error", ({ message }) =>
      this.#failure.reject(new Error(`training failed: ${message}`)),
    );
    // Callers of `train` get the error; without this it would also count as an unhandled rejection.
    this.#failure.promise.catch(() => {});
    this.#encoder = encoder ?? this.#ownEncoder;
  }

  /**
   * @param isEncoded false skips encoding, which takes most of the time; see `fitSentences`. @throws Error if a thread fails, with its
   * message.
   */
  train(
    intents: readonly IntentExamples[],
    { report = () => undefined, isEncoded = true }: { report?: Report; isEncoded?: boolean } = {},
  ): Promise<TimedTrainingResult> {
    return this.#inTurn(async () => {
      const startedAt = performance.now();
      const texts = isEncoded ? textsToEncode(intents) : [];
      const share = texts.length > 0 ? ENCODING_SHARE : 0;
      const vectors = await encodeTexts(this.#encoder, texts, (done) => report(share * done));
      const { model, sentences } = await this.#ask({ intents, ...(isEncoded && { vectors }) }, (done) =>
        report(share + (1 - share) * done),
      );
      const trainMs = performance.now() - startedAt;
      return { model: model!, ...(sentences && { sentences }), trainMs };
    });
  }

  /**
   * Only the encoder's model, like `sentences` of `train`. Undefined if nothing was encoded. @throws Error if a thread fails, with its
   * message.
   */
  fitSentences(intents: readonly IntentExamples[]): Promise<Uint8Array | undefined> {
    return this.#inTurn(async () => {
      const vectors = await encodeTexts(this.#encoder, textsToEncode(intents), () => undefined);
      return (await this.#ask({ intents, vectors, isForSentences: true }, () => undefined)).sentences;
    });
  }

  [Symbol.dispose](): void {
    this.#worker.terminate();
    this.#ownEncoder[Symbol.dispose]();
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const next = this.#last.then(work);
    this.#last = next.catch(() => {});
    return next;
  }

  #ask(order: TrainingOrder, report: Report): Promise<Partial<TrainingResult>> {
    const listening = new AbortController();
    const { signal } = listening;
    const { promise, resolve } = Promise.withResolvers<Partial<TrainingResult>>();
    const onNews = ({ data }: MessageEvent<TrainingNews>) => {
      if (data.kind === "progress") report(data.done);
      else resolve(data.result);
    };
    this.#worker.addEventListener("message", onNews, { signal });
    this.#worker.postMessage(order, []);
    return Promise.race([promise, this.#failure.promise]).finally(() => listening.abort());
  }
}
