import type { BotDocument } from "../domain/bot.ts";
import type { Awaitable } from "../domain/waiting.ts";
import { workerUrl } from "../domain/worker.ts";
import { judgeMessage } from "../governance/judge-message.ts";
import type { JudgedMessage } from "../governance/judged-message.ts";
import type { GovernancePolicy } from "../governance/policy.ts";
import type { IntentClassifier, WeighedText } from "../intent/classifier.ts";

/** The parts of a bot that judging uses. */
export interface JudgingBot {
  readonly document: BotDocument;
  readonly classifier: IntentClassifier;
  /** Compiled for the classifier. */
  readonly policy: GovernancePolicy;
}

/** A judged message; if judged on the thread, with the evidence for its request, so that the main loop need not compute it again. */
export interface WeighedMessage extends JudgedMessage {
  weighed?: WeighedText;
}

/** Judges a message without blocking other messages. */
export type Judge = (bot: JudgingBot, text: string) => Awaitable<WeighedMessage>;

/** Message to the judging thread. */
export interface JudgeRequest {
  number: number;
  text: string;
  /** The bot's number on the thread, with the bot itself if the thread does not have it yet. */
  bot: number;
  definition?: { document: BotDocument; model: Uint8Array };
  /** The thread must discard all bots that it has. */
  isFirst?: boolean;
}

/** Message from the judging thread. */
export interface JudgeResponse {
  number: number;
  judged: WeighedMessage;
}

/**
 * Maximum length in UTF-16 code units of a message judged on the main loop. The slowest text known takes less than 10 ms up
 * to this length (`npm run bench -- --stalls`).
 */
const MAX_LENGTH_ON_MAIN_LOOP = 500;
/** Maximum number of bots on the thread. One more discards all, which bounds its memory. Chosen by hand. */
const MAX_BOTS = 8;
/** Long messages are rare: after this time without one, the thread ends and its memory is freed. */
const IDLE_MS = 60_000;

/**
 * `judgeMessage` with long messages on a thread: some take a second, during which other visitors would wait. The thread starts with the
 * first long message. The number of waiting messages is bounded by the limit of concurrent turns.
 */
export class JudgingThread implements Disposable {
  readonly #waiting = new Map<number, PromiseWithResolvers<WeighedMessage>>();
  readonly #sent = new Map<BotDocument, number>();
  #worker: Worker | undefined;
  #last = 0;
  #idle: Timer | undefined;

  /** @returns a promise for a long message; it rejects if the thread fails or is closed. */
  readonly judge: Judge = (bot, text) =>
    text.length <= MAX_LENGTH_ON_MAIN_LOOP
      ? judgeMessage(text, bot.classifier, bot.policy)
      : this.#send(bot, text);

  [Symbol.dispose](): void {
    this.#stop("the judging thread is closed");
  }

  #send({ document, classifier }: JudgingBot, text: string): Promise<WeighedMessage> {
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    const order: JudgeRequest = { number: ++this.#last, text, bot: this.#sent.get(document) ?? this.#last };
    if (!this.#sent.has(document)) {
      order.definition = { document, model: classifier.bytes };
      order.isFirst = this.#sent.size >= MAX_BOTS;
      if (order.isFirst) this.#sent.clear();
      this.#sent.set(document, order.bot);
    }
    const waiting = Promise.withResolvers<WeighedMessage>();
    this.#waiting.set(order.number, waiting);
    this.#worker.postMessage(order, []);
    return waiting.promise;
  }

  #start(): Worker {
    const worker = new Worker(workerUrl("bots/judging-worker.ts"));
    worker.addEventListener("message", ({ data: { number, judged } }: MessageEvent<JudgeResponse>) => {
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
