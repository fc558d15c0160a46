import { workerUrl } from "../worker-url.ts";
import type { EncoderInput } from "./encoder.ts";

/** Texts that wait for the encoding thread, in the order in which it takes them up. */
export const ENCODER_QUEUES = [
  /** What visitors say. */
  "messages",
  /** Documents that a visitor's question is compared with. */
  "documents",
  /** What operators and training want. */
  "background",
] as const;
export type EncoderQueue = (typeof ENCODER_QUEUES)[number];

/** What the encoding thread is sent. */
export interface EncodingOrder {
  number: number;
  queue: EncoderQueue;
  input: EncoderInput;
}

/** What the encoding thread sends. */
export interface EncodingNews {
  number: number;
  /** As `Encoder.encode` returns it. */
  vector: Float32Array | undefined;
}

/**
 * Texts that may wait at a time, for the whole process. At some 11 ms each, the last message waits for 0.7 s; documents and what is done in the
 * background wait for messages, too. Whoever encodes many texts asks for one after another.
 */
const MOST_WAITING: Readonly<Record<EncoderQueue, number>> = {
  messages: 64,
  documents: 128,
  background: 256,
};

/** More texts wait in a queue than would be encoded in time. */
export class EncoderBusyError extends Error {
  readonly queue: EncoderQueue;

  constructor(queue: EncoderQueue) {
    super(`${MOST_WAITING[queue]} texts wait for the encoding thread (${queue})`);
    this.queue = queue;
  }
}

let isOn = true;

/**
 * Whether this process encodes, as `--encoder` says: without, no text has a vector, and nothing is loaded. Whoever reads the configuration sets
 * it.
 *
 * @returns how to put it back to what it was.
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
  /** Whom texts are encoded for. Default: visitors. */
  work?: "visitors" | "background";
  /** Told of each text that was refused because too many wait. */
  onRefused?: (queue: EncoderQueue) => void;
  url?: URL;
}

/**
 * Encodes on a thread of its own, so that no text blocks the loop. The thread is one for the process, whoever asks, as the weights take some
 * 60 MB: it starts with the first text, ends when all who asked are closed, and starts anew with the next text after a failure. A message
 * is taken up within a layer of whatever else is being encoded.
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
   * What a text means: a vector of length 1. Undefined where it is blank, this process does not encode, or the processor or the runtime has no SIMD.
   * @throws Error when the thread fails, with its message, or is closed meanwhile; EncoderBusyError when too many texts wait already.
   */
  async encode(input: EncoderInput): Promise<Float32Array | undefined> {
    if (this.#isClosed) throw new Error(CLOSED);
    if (!isOn) return undefined;
    const { url = workerUrl("encoder/encoder-worker.ts"), onRefused } = this.#options;
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

/** The thread that all of a process share. */
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

  /** Refuses what one of its users still waits for, and ends with the last user. */
  leave(numbers: Iterable<number>): void {
    for (const number of numbers) this.#take(number)?.reject(new Error(CLOSED));
    this.#users--;
    if (this.#users > 0) return;
    this.#worker?.terminate();
    SharedThread.#running.delete(this.#url.href);
  }

  isFull(queue: EncoderQueue): boolean {
    return this.#counts[queue] >= MOST_WAITING[queue];
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
