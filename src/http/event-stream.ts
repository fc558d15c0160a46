import type { TurnFollower } from "../chat/message.ts";
import type { ChatResponse } from "../domain/chat.ts";
import { acceptedNames } from "./accept.ts";

/** Answers a message: with the whole response, and piece by piece to a follower. */
export type AnswerInStream = (left: AbortSignal, follower?: TurnFollower) => Promise<ChatResponse>;

interface StreamOptions {
  /** Aborts when the connection is gone. */
  left: AbortSignal;
  /** The problem document of an error. */
  describeError: (error: unknown) => unknown;
  /** Told of an error after the stream has begun. */
  onError: (error: unknown) => void;
  /** Between comments that keep the connection open. */
  heartbeatMs?: number;
}

const HEARTBEAT_MS = 15_000;
const HEADERS = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-cache, no-transform",
  "X-Accel-Buffering": "no",
};

/** Whether a caller asks for server-sent events; `*` alone does not. */
export function acceptsEventStream(accept: string | null): boolean {
  return acceptedNames(accept).has("text/event-stream");
}

/**
 * The answer as server-sent events: `meta` after the decision, `delta` with text, `done` with the whole ChatResponse;
 * `error` with a problem document where it breaks off.
 *
 * @throws whatever `answer` throws before the decision: then no stream has begun.
 */
export async function streamAnswer(answer: AnswerInStream, options: StreamOptions): Promise<Response> {
  const leaving = new AbortController();
  const events = new EventWriter(() => leaving.abort(), options.heartbeatMs ?? HEARTBEAT_MS);
  options.left.addEventListener("abort", () => leaving.abort(), { once: true });
  if (options.left.aborted) leaving.abort();
  const begun = Promise.withResolvers<void>();
  const follower: TurnFollower = {
    decided(opening) {
      events.write("meta", opening);
      begun.resolve();
    },
    said: (text) => events.write("delta", { text }),
  };
  const fail = (error: unknown) => {
    if (!events.hasBegun) return begun.reject(error);
    options.onError(error);
    events.write("error", options.describeError(error));
    events.end();
  };
  const finish = (response: ChatResponse) => {
    if (!events.hasBegun) replay(response, follower);
    events.write("done", response);
    events.end();
  };
  void answer(leaving.signal, follower).then(finish, fail);
  await begun.promise;
  return new Response(events.body, { headers: HEADERS });
}

/** An answer that was there already: the first one of an idempotency key. */
function replay(
  { conversationId, intentDetected, metadata, response }: ChatResponse,
  follower: TurnFollower,
): void {
  follower.decided({
    conversationId,
    ...(intentDetected !== undefined && { intentDetected }),
    capabilityAllowed: metadata.capabilityAllowed,
  });
  follower.said(response);
}

/** Server-sent events (WHATWG HTML §9.2), kept alive by comments until the end. */
class EventWriter {
  readonly body: ReadableStream<Uint8Array>;
  hasBegun = false;
  readonly #heartbeatMs: number;
  readonly #encoder = new TextEncoder();
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #heartbeat: ReturnType<typeof setInterval> | undefined;

  /** `onLeave` runs when the reader cancels the stream. */
  constructor(onLeave: () => void, heartbeatMs: number) {
    this.#heartbeatMs = heartbeatMs;
    this.body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
      },
      cancel: () => {
        this.#stop();
        onLeave();
      },
    });
  }

  write(event: string, data: unknown): void {
    this.hasBegun = true;
    if (!this.#controller) return;
    this.#heartbeat ??= setInterval(() => this.#send(": still here\n\n"), this.#heartbeatMs);
    this.#send(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  end(): void {
    this.#controller?.close();
    this.#stop();
  }

  #send(text: string): void {
    this.#controller?.enqueue(this.#encoder.encode(text));
  }

  #stop(): void {
    clearInterval(this.#heartbeat);
    this.#heartbeat = undefined;
    this.#controller = undefined;
  }
}
