import type { Listener, TurnFollower, TurnOpening } from "../chat/message.ts";
import type { ChatResponse } from "../domain/chat.ts";
import { EventWriter } from "./event-writer.ts";
import { EVENT_STREAM_HEADERS } from "./every-answer.ts";
import { acceptedNames } from "./request-headers.ts";

/** How to handle an error in the middle of a stream. */
interface BreakOptions {
  /** The problem document for the reader. */
  describe: (error: unknown) => unknown;
  /** Reports the error to the log. */
  report: (error: unknown) => void;
  /** Interval of the comments that keep the connection open. */
  heartbeatMs?: number;
}

/** Whether a caller accepts server-sent events; `*` alone does not count. */
export function acceptsEventStream(accept: string | null): boolean {
  return accept !== null && /event-stream/i.test(accept) && acceptedNames(accept).has("text/event-stream");
}

/**
 * An answer as server-sent events: `meta` after the decision, `delta` with text, `done` with the whole ChatResponse; `error` with a problem
 * document if it fails.
 */
export class AnswerStream implements TurnFollower {
  /** Receives the answer in pieces, until the reader has left. */
  readonly listener: Listener;
  readonly #events: EventWriter;
  readonly #options: BreakOptions;
  readonly #begun = Promise.withResolvers<void>();

  /** @param left aborts when the connection is closed. */
  constructor(left: AbortSignal, options: BreakOptions) {
    const leaving = new AbortController();
    this.#options = options;
    this.#events = new EventWriter(() => leaving.abort(), options.heartbeatMs);
    left.addEventListener("abort", () => leaving.abort(), { once: true });
    if (left.aborted) leaving.abort();
    this.listener = { left: leaving.signal, follower: this };
  }

  decided(opening: TurnOpening): void {
    this.#events.write("meta", opening);
    this.#begun.resolve();
  }

  said(text: string): void {
    this.#events.write("delta", { text });
  }

  /**
   * Sends the answer of this stream's listener; resolves when the decision is made.
   *
   * @throws the rejection of `answer` if it comes before the stream has begun.
   */
  async send(answer: Promise<ChatResponse>): Promise<Response> {
    void answer.then(
      (response) => this.#finish(response),
      (error: unknown) => this.#fail(error),
    );
    await this.#begun.promise;
    return new Response(this.#events.body, { headers: EVENT_STREAM_HEADERS });
  }

  #finish(response: ChatResponse): void {
    if (!this.#events.hasBegun) this.#replay(response);
    this.#events.write("done", response);
    this.#events.end();
  }

  #fail(error: unknown): void {
    if (!this.#events.hasBegun) return this.#begun.reject(error);
    this.#options.report(error);
    this.#events.write("error", this.#options.describe(error));
    this.#events.end();
  }

  /** Sends an answer that exists already: the first one of an idempotency key. */
  #replay({ conversationId, intentDetected, metadata, response }: ChatResponse): void {
    this.decided({
      conversationId,
      ...(intentDetected !== undefined && { intentDetected }),
      capabilityAllowed: metadata.capabilityAllowed,
    });
    this.said(response);
  }
}
