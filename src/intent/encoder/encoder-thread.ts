import { workerUrl } from "../worker-url.ts";
import type { EncodedSentence } from "./encoded-sentence.ts";

/** What the encoding thread is sent. */
export interface EncodingOrder {
  number: number;
  text: string;
}

/** What the encoding thread sends. */
export interface EncodingNews {
  number: number;
  /** As `encodeSentence` returns it. */
  sentence: EncodedSentence | undefined;
}

type Waiting = PromiseWithResolvers<EncodedSentence | undefined>;

/** Texts that may wait at a time: the last of them waits for about half a second. More are refused rather than kept waiting longer. */
const MOST_WAITING = 200;

/**
 * `encodeSentence` on a thread of its own, so that long texts do not block the loop. The thread starts with the first text; after a
 * failure, with the next one.
 */
export class EncoderThread implements Disposable {
  readonly #workerUrl: URL;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #last = 0;

  constructor(url = workerUrl("encoder/encoder-worker.ts")) {
    this.#workerUrl = url;
  }

  /** @throws Error when the thread fails, with its message, is closed meanwhile, or when too many texts wait already. */
  encode(text: string): Promise<EncodedSentence | undefined> {
    const waiting: Waiting = Promise.withResolvers();
    if (this.#waiting.size >= MOST_WAITING) {
      waiting.reject(new Error(`${MOST_WAITING} texts wait for the encoding thread`));
      return waiting.promise;
    }
    this.#worker ??= this.#start();
    const order: EncodingOrder = { number: ++this.#last, text };
    this.#waiting.set(order.number, waiting);
    this.#worker.postMessage(order, []);
    return waiting.promise;
  }

  [Symbol.dispose](): void {
    this.#stop("the encoding thread is closed");
  }

  #start(): Worker {
    const worker = new Worker(this.#workerUrl);
    worker.addEventListener("message", ({ data: { number, sentence } }: MessageEvent<EncodingNews>) => {
      this.#waiting.get(number)?.resolve(sentence);
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
