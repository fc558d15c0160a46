import type { BotDocument } from "../domain/bot.ts";
import type { Awaitable } from "../domain/wait-at-most.ts";
import { judgeMessage } from "../governance/judge-message.ts";
import type { JudgedMessage } from "../governance/judged-message.ts";
import type { GovernancePolicy } from "../governance/policy.ts";
import type { IntentClassifier, WeighedText } from "../intent/classifier.ts";

/** What of a bot judging takes. */
export interface JudgingBot {
  readonly document: BotDocument;
  readonly classifier: IntentClassifier;
  /** Compiled for the classifier. */
  readonly policy: GovernancePolicy;
}

/** A judged message; where it was judged on the thread, with what its request weighs, so that the main loop need not read it again. */
export interface WeighedMessage extends JudgedMessage {
  weighed?: WeighedText;
}

/** Judges a message, wherever that keeps nobody waiting. */
export type Judge = (bot: JudgingBot, text: string) => Awaitable<WeighedMessage>;

/** What the judging thread is sent. */
export interface JudgingOrder {
  number: number;
  text: string;
  /** The bot's number on the thread, and the bot itself where the thread does not have it yet. */
  bot: number;
  definition?: { document: BotDocument; model: Uint8Array };
  /** All bots that were sent before are to be forgotten. */
  isFirst?: boolean;
}

/** What the judging thread sends. */
export interface JudgingNews {
  number: number;
  judged: WeighedMessage;
}

/**
 * UTF-16 code units of a message that is judged at once, on the loop that serves. Text that is made to cost as much as it can (`npm run
 * bench -- --stalls`) holds it for less than 10 ms up to here.
 */
const LONGEST_HERE = 500;
/** Bots that the thread keeps. With one more it begins anew, so that its memory is bounded. */
const MOST_BOTS = 8;
/** Long messages are seldom; the thread's memory is given back when none has come for so long. */
const IDLE_MS = 60_000;

/**
 * `judgeMessage`, for long messages on a thread of its own: some take a second, and nobody else should wait for them. The thread starts
 * with the first long message. How many wait at a time is bounded by the turns that may be in flight.
 */
export class JudgingThread implements Disposable {
  readonly #waiting = new Map<number, PromiseWithResolvers<WeighedMessage>>();
  readonly #sent = new Map<BotDocument, number>();
  #worker: Worker | undefined;
  #last = 0;
  #idle: Timer | undefined;

  /** @returns a promise for a long message, that rejects when the thread fails or is closed meanwhile. */
  readonly judge: Judge = (bot, text) =>
    text.length <= LONGEST_HERE ? judgeMessage(text, bot.classifier, bot.policy) : this.#send(bot, text);

  [Symbol.dispose](): void {
    this.#stop("the judging thread is closed");
  }

  #send({ document, classifier }: JudgingBot, text: string): Promise<WeighedMessage> {
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    const order: JudgingOrder = { number: ++this.#last, text, bot: this.#sent.get(document) ?? this.#last };
    if (!this.#sent.has(document)) {
      order.definition = { document, model: classifier.bytes };
      order.isFirst = this.#sent.size >= MOST_BOTS;
      if (order.isFirst) this.#sent.clear();
      this.#sent.set(document, order.bot);
    }
    const waiting = Promise.withResolvers<WeighedMessage>();
    this.#waiting.set(order.number, waiting);
    this.#worker.postMessage(order, []);
    return waiting.promise;
  }

  #start(): Worker {
    const worker = new Worker(judgingWorkerUrl());
    worker.addEventListener("message", ({ data: { number, judged } }: MessageEvent<JudgingNews>) => {
      this.#waiting.get(number)?.resolve(judged);
      this.#waiting.delete(number);
      if (this.#waiting.size > 0) return;
      this.#idle = setTimeout(() => this.#stop("the judging thread is idle"), IDLE_MS).unref();
    });
    worker.addEventListener("error", ({ message }) => {
      if (worker === this.#worker) this.#stop(`judging failed: ${message}`);
    });
    return worker;
  }

  #stop(reason: string): void {
    clearTimeout(this.#idle);
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#sent.clear();
    for (const { reject } of this.#waiting.values()) reject(new Error(reason));
    this.#waiting.clear();
  }
}

/** From source, beside this file; in the executable, below its root, where the build keeps it at its place in `src`. */
function judgingWorkerUrl(): URL {
  const isSource = import.meta.url.endsWith("/judging-thread.ts");
  return new URL(isSource ? "./judging-worker.ts" : "./bots/judging-worker.ts", import.meta.url);
}
