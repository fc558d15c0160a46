/** What the encoding thread is sent. */
export interface EncodingOrder {
  number: number;
  text: string;
}

/** What the encoding thread sends. */
export interface EncodingNews {
  number: number;
  /** Undefined where the text is blank, or the processor or the runtime has no SIMD. */
  vector: Float32Array | undefined;
}

type Waiting = PromiseWithResolvers<Float32Array | undefined>;

/**
 * `SentenceEncoder.encodeCentred` on a thread of its own, so that long texts do not block the loop. The thread starts with the first text;
 * after a failure, with the next one.
 */
export class EncoderThread implements Disposable {
  readonly #workerUrl: URL;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #last = 0;

  /** @param workerUrl of `encoder-worker.ts`; see `TrainingThread` for the form that holds in the executable. */
  constructor(workerUrl: URL) {
    this.#workerUrl = workerUrl;
  }

  /** @throws Error when the thread fails, with its message, or is closed meanwhile. */
  encodeCentred(text: string): Promise<Float32Array | undefined> {
    this.#worker ??= this.#start();
    const order: EncodingOrder = { number: ++this.#last, text };
    const waiting: Waiting = Promise.withResolvers();
    this.#waiting.set(order.number, waiting);
    this.#worker.postMessage(order, []);
    return waiting.promise;
  }

  [Symbol.dispose](): void {
    this.#stop("the encoding thread is closed");
  }

  #start(): Worker {
    const worker = new Worker(this.#workerUrl);
    worker.addEventListener("message", ({ data: { number, vector } }: MessageEvent<EncodingNews>) => {
      this.#waiting.get(number)?.resolve(vector);
      this.#waiting.delete(number);
    });
    worker.addEventListener("error", ({ message }) => {
      if (worker === this.#worker) this.#stop(`encoding failed: ${message}`);
    });
    return worker;
  }

  #stop(reason: string): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    for (const { reject } of this.#waiting.values()) reject(new Error(reason));
    this.#waiting.clear();
  }
}
