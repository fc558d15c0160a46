import { workerUrl } from "../../domain/worker.ts";
import type { EncoderInput } from "./encoder.ts";

/** The queues of the encoding thread, in order of priority. */
export const ENCODER_QUEUES = [
  /** Visitors' messages. */
  "messages",
  /** Documents that a visitor's question is compared with. */
  "documents",
  /** Texts for operators and training. */
  "background",
] as const;
export type EncoderQueue = (typeof ENCODER_QUEUES)[number];

/** Message to the encoding thread. */
export interface EncodingOrder {
  number: number;
  queue: EncoderQueue;
  input: EncoderInput;
}

/** Message from the encoding thread. */
export interface EncodingNews {
  number: number;
  /** As returned by `Encoder.encode`. */
  vector: Float32Array | undefined;
}

/**
 * Most waiting texts per queue, for the whole process. At about 11 ms each, the last message waits 0.7 s; documents and background work
 * also wait for messages. Callers with many texts send one after another.
 */
const MAX_WAITING: Readonly<Record<EncoderQueue, number>> = {
  messages: 64,
  documents: 128,
  background: 256,
};

/** The queue is full: the text would not be encoded in time. */
export class EncoderBusyError extends Error {
  readonly queue: EncoderQueue;

  constructor(queue: EncoderQueue) {
    super(`${MAX_WAITING[queue]} texts wait for the encoding thread (${queue})`);
    this.queue = queue;
  }
}

let isOn = true;

/**
 * Sets whether this process encodes, as in `--encoder`. If off, no text has a vector and nothing is loaded.
 *
 * @returns a function that restores the earlier setting.
 */
export function setEncoder(setting: "on" | "off"): () => void {
  const wasOn = isOn;
  isOn = setting === "on";
  return () => void (isOn = wasOn);
}

/** Whether this process encodes. */
export function isEncoderOn(): boolean {
  return isOn;
}

interface EncoderThreadOptions {
  /** On whose behalf texts are encoded. Default: visitors. */
  work?: "visitors" | "background";
  /** Called for each text that was rejected because the queue was full. */
  onRefused?: (queue: EncoderQueue) => void;
  url?: URL;
}

/**
 * Encodes texts on a thread, so that the loop is not blocked. The process has one thread, because the encoder takes about 120 MB: it starts
 * with the first text, ends when all users are closed, and restarts after a failure with the next text. A message waits at most for one
 * layer of other work.
 */
export class EncoderThread implements Disposable {
  readonly #options: EncoderThreadOptions;
  readonly #own = new Set<number>();
  #thread: SharedThread | undefined;
  #isClosed = false;

  constructor(options: EncoderThreadOptions = {}) {
    this.#options = options;
  }

  /**
   * The vector of a text, with an L2 norm of 1. Undefined if the text is blank, encoding is off, or the processor or runtime has no SIMD.
   * @throws Error if the thread fails, with its message, or is closed meanwhile; EncoderBusyError if the queue is full.
   */
  async encode(input: EncoderInput): Promise<Float32Array | undefined> {
    if (this.#isClosed) throw new Error(CLOSED);
    if (!isOn) return undefined;
    const { url = workerUrl("intent/encoder/encoder-worker.ts"), onRefused } = this.#options;
    this.#thread ??= SharedThread.join(url);
    const queue = this.#queueOf(input);
    if (this.#thread.isFull(queue)) {
      onRefused?.(queue);
      throw new EncoderBusyError(queue);
    }
    const { number, vector } = this.#thread.encode(queue, input);
    this.#own.add(number);
    return vector.finally(() => this.#own.delete(number));
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#thread?.leave(this.#own);
    this.#thread = undefined;
  }

  #queueOf({ form }: EncoderInput): EncoderQueue {
    if (this.#options.work === "background") return "background";
    return form === "passage" ? "documents" : "messages";
  }
}

const CLOSED = "the encoding thread is closed";

interface Waiting extends PromiseWithResolvers<Float32Array | undefined> {
  queue: EncoderQueue;
}

/** The encoding thread of the process. */
class SharedThread {
  /** By the worker's address. */
  static readonly #running = new Map<string, SharedThread>();
  readonly #url: URL;
  readonly #waiting = new Map<number, Waiting>();
  readonly #counts: Record<EncoderQueue, number> = { messages: 0, documents: 0, background: 0 };
  #users = 0;
  #worker: Worker | undefined;
  #last = 0;

  private constructor(url: URL) {
    this.#url = url;
  }

  static join(url: URL): SharedThread {
    const thread = SharedThread.#running.get(url.href) ?? new SharedThread(url);
    SharedThread.#running.set(url.href, thread);
    thread.#users++;
    return thread;
  }

  /** Rejects the waiting texts of one user, and ends the thread with the last user. */
  leave(numbers: Iterable<number>): void {
    for (const number of numbers) this.#take(number)?.reject(new Error(CLOSED));
    this.#users--;
    if (this.#users > 0) return;
    this.#worker?.terminate();
    SharedThread.#running.delete(this.#url.href);
  }

  isFull(queue: EncoderQueue): boolean {
    return this.#counts[queue] >= MAX_WAITING[queue];
  }

  encode(queue: EncoderQueue, input: EncoderInput): { number: number; vector: Waiting["promise"] } {
    const waiting: Waiting = { queue, ...Promise.withResolvers<Float32Array | undefined>() };
    const order: EncodingOrder = { number: ++this.#last, queue, input };
    this.#waiting.set(order.number, waiting);
    this.#counts[queue]++;
    this.#worker ??= this.#start();
    this.#worker.postMessage(order, []);
    return { number: order.number, vector: waiting.promise };
  }

  #start(): Worker {
    const worker = new Worker(this.#url);
    worker.addEventListener("message", ({ data: { number, vector } }: MessageEvent<EncodingNews>) => {
      this.#take(number)?.resolve(vector);
    });
    worker.addEventListener("error", ({ message }) => {
      if (worker !== this.#worker) return;
      worker.terminate();
      this.#worker = undefined;
      for (const number of this.#waiting.keys())
        this.#take(number)?.reject(new Error(`encoding failed: ${message}`));
    });
    return worker;
  }

  #take(number: number): Waiting | undefined {
    const waiting = this.#waiting.get(number);
    if (waiting === undefined) return undefined;
    this.#waiting.delete(number);
    this.#counts[waiting.queue]--;
    return waiting;
  }
}
