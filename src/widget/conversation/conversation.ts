import type { ParleyError, ParleyMessage, ParleyStatus } from "../public.d.ts";
import type { Kept, Transcript } from "./transcript.ts";
import type { ChatCall, Outcome } from "./transport.ts";

/** Dependencies of the conversation; replaced in tests. */
export interface ConversationParts {
  botId: string;
  transcript: Transcript;
  post: (
    call: Pick<ChatCall, "request" | "idempotencyKey" | "signal" | "onMeta" | "onDelta">,
  ) => Promise<Outcome>;
  now: () => number;
  newId: () => string;
  isOnline: () => boolean;
  /** Calls `run` after `delayMs`; returns a function that cancels it. */
  later: (run: () => void, delayMs: number) => () => void;
  onMessage: (message: ParleyMessage) => void;
  onError: (error: ParleyError) => void;
}

const IDLE: ParleyStatus = { kind: "idle" };
/** Suffix of the id of a partial answer; the whole answer's id has the same beginning. */
const PART = ".answer.part";
/** States in which a message waits for its answer, the network or a limit; new messages are queued. */
const BUSY = new Set<ParleyStatus["kind"]>(["waiting", "streaming", "limited", "queued", "capped"]);

/**
 * One visitor's conversation with one bot; at most one message is in progress. A message keeps its id through all retries, and the id is
 * its idempotency key, so that it is answered and counted once.
 */
export class Conversation {
  readonly #parts: ConversationParts;
  #status = IDLE;
  /** Aborts the message in progress. */
  #flight = new AbortController();
  #cancelTimer: (() => void) | undefined;
  /** Messages queued while the conversation was busy. */
  readonly #outbox: string[] = [];
  #earlier: Kept | undefined;
  readonly #listeners = new Set<() => void>();

  constructor(parts: ConversationParts) {
    this.#parts = parts;
  }

  readonly status = (): ParleyStatus => this.#status;
  readonly messages = (): readonly ParleyMessage[] => this.#parts.transcript.messages();
  readonly kept = (): Kept => this.#parts.transcript.snapshot();

  /** The visitor's last message, if it has no complete answer yet and may get one. Numbered messages have reached an operator. */
  readonly openQuestion = (): ParleyMessage | undefined => {
    const last = this.messages().findLast(({ id }) => !id.endsWith(PART));
    return last?.role === "visitor" && !last.unsent && !last.number ? last : undefined;
  };

  /** Calls the listener after every change of messages or status. @returns a function that ends it. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly send = (text: string): void => {
    const parts = this.#parts;
    const trimmed = text.trim();
    if (trimmed === "") return;
    if (BUSY.has(this.#status.kind)) {
      this.#outbox.push(trimmed);
      return;
    }
    const open = this.openQuestion();
    if (open?.text === trimmed && !open.rejected) return this.retry();
    this.#park(open);
    this.#earlier = undefined;
    const message: ParleyMessage = { id: parts.newId(), role: "visitor", text: trimmed, at: parts.now() };
    parts.transcript.add(message);
    parts.onMessage(message);
    void this.#deliver(message);
  };

  /** Sends the last message, or another unsent one, again with the same id. */
  readonly retry = (id?: string): void => {
    const open = this.openQuestion();
    const { unsent: _, ...again } = this.messages().find((message) => message.id === id) ?? open ?? {};
    if (!("text" in again) || (id !== undefined && BUSY.has(this.#status.kind))) return;
    if (again.id !== open?.id) {
      this.#park(open);
      this.#parts.transcript.add(again);
    }
    void this.#deliver(again);
  };

  /** Deletes a message without an answer; queued messages are then sent. */
  readonly remove = (id: string): void => {
    const isOpen = this.openQuestion()?.id === id;
    if (isOpen) this.#cancelTimer?.();
    this.#parts.transcript.drop(id);
    this.#become(isOpen ? IDLE : this.#status);
    if (isOpen) this.#sendNext();
  };

  readonly stop = (): void => {
    if (this.#status.kind === "limited" || this.#status.kind === "queued") {
      this.#cancelTimer?.();
      this.#become({ kind: "unreachable" });
    } else this.#flight.abort();
  };

  /** Starts a new conversation. The earlier one can be restored until the page closes or another new one begins. */
  readonly startOver = (): void => {
    const left = this.#parts.transcript.snapshot();
    this.reset();
    this.#earlier = left;
    this.#become(this.#status);
  };

  /** Changes stored data; a message from an operator is announced. */
  readonly keep = (changed: Partial<Kept>, heard?: ParleyMessage): void => {
    this.#parts.transcript.restore(changed);
    this.#become(this.#status);
    if (heard) this.#parts.onMessage(heard);
  };

  /** The conversation before `startOver`. */
  readonly earlier = (): readonly ParleyMessage[] => this.#earlier?.messages ?? [];

  readonly takeUpEarlier = (): void => {
    if (this.#earlier === undefined) return;
    this.#parts.transcript.restore(this.#earlier);
    this.#earlier = undefined;
    this.#become(this.#status);
    this.resume();
  };

  readonly reset = (): void => {
    this.#earlier = undefined;
    this.abandon();
    this.#parts.transcript.clear();
    this.#become(this.#status.kind === "capped" ? this.#status : IDLE);
  };

  /** Sends what waited for the network. */
  readonly online = (): void => {
    if (this.#status.kind === "queued") this.retry();
  };

  /** Continues with a message that an earlier page load left unanswered: sends it, or shows again why it was rejected. */
  readonly resume = (): void => {
    const open = this.openQuestion();
    if (this.#status.kind !== "idle") return;
    if (open?.rejected) this.#become({ kind: "failed", code: open.rejected });
    else this.retry();
  };

  /** Shows the messages of another tab, unless a message is in progress here. */
  takeOver(): void {
    if (this.#status.kind !== "idle") return;
    this.#parts.transcript.reload();
    this.#become(IDLE);
  }

  /** Aborts the message in progress silently. */
  abandon(): void {
    const left = this.#flight;
    this.#flight = new AbortController();
    left.abort();
    this.#cancelTimer?.();
    this.#outbox.length = 0;
  }

  #become(status: ParleyStatus): void {
    this.#status = status;
    for (const listener of this.#listeners) listener();
  }

  /**
   * A new message is sent before an unanswered one, which is marked as not sent unless a part of its answer arrived. A rejected message was
   * returned for editing.
   */
  #park(open: ParleyMessage | undefined): void {
    if (open?.rejected) this.#parts.transcript.drop(open.id);
    else if (open && open === this.messages().at(-1))
      this.#parts.transcript.replace({ ...open, unsent: true });
  }

  #sendNext(): void {
    const next = this.#outbox.shift();
    if (next !== undefined) this.send(next);
  }

  async #deliver(message: ParleyMessage): Promise<void> {
    const parts = this.#parts;
    if (!parts.isOnline()) return this.#become({ kind: "queued" });
    const flight = (this.#flight = new AbortController());
    const startedAt = parts.now();
    let streamed = "";
    let begun: string | undefined;
    this.#become({ kind: "waiting" });
    const outcome = await parts.post({
      request: {
        botId: parts.botId,
        input: message.text,
        conversationId: parts.transcript.conversationId(),
      },
      idempotencyKey: message.id,
      signal: flight.signal,
      onMeta: (conversationId) => (begun = conversationId),
      onDelta: (text) => {
        if (flight.signal.aborted) return;
        // Pieces of an earlier attempt are replaced.
        if (streamed === "") parts.transcript.drop(message.id + PART);
        streamed += text;
        this.#become({ kind: "streaming", text: streamed });
      },
    });
    // `abandon` has replaced the request, so this answer is ignored.
    if (this.#flight !== flight) return;
    // Only at the end: a retry with the same idempotency key must send the same conversation id as the first attempt.
    if (outcome.kind === "stopped" && begun) parts.transcript.setConversationId(begun);
    this.#settle(message, outcome, streamed, startedAt);
  }

  #settle(message: ParleyMessage, outcome: Outcome, streamed: string, startedAt: number): void {
    const parts = this.#parts;
    // A retry replaces it; the page is only told of complete answers.
    if (streamed && (outcome.kind === "unreachable" || outcome.kind === "failed"))
      parts.transcript.add({
        id: message.id + PART,
        role: "bot",
        text: streamed,
        at: parts.now(),
        stopped: true,
      });
    switch (outcome.kind) {
      case "answered":
        parts.transcript.setConversationId(outcome.response.conversationId);
        return this.#answer(message, {
          text: outcome.response.response,
          intentDetected: outcome.response.intentDetected,
          metadata: outcome.response.metadata,
          requestId: outcome.requestId,
          durationMs: parts.now() - startedAt,
        });
      case "stopped":
        return this.#answer(message, { text: streamed, stopped: true });
      case "limited":
        return this.#waitForLimit(message, outcome.retryAfterMs);
      case "capped":
        return this.#become({ kind: "capped", until: parts.now() + outcome.retryAfterMs });
      case "unreachable":
        return this.#become({ kind: parts.isOnline() ? "unreachable" : "queued" });
      case "failed":
        return this.#fail(message, outcome);
    }
  }

  #answer(question: ParleyMessage, fields: Partial<ParleyMessage>): void {
    const parts = this.#parts;
    const message: ParleyMessage = {
      id: `${question.id}.answer`,
      role: "bot",
      text: "",
      at: parts.now(),
      ...fields,
    };
    parts.transcript.add(message);
    this.#become(IDLE);
    parts.onMessage(message);
    this.#sendNext();
  }

  #waitForLimit(message: ParleyMessage, retryAfterMs: number): void {
    this.#cancelTimer = this.#parts.later(() => void this.#deliver(message), retryAfterMs);
    this.#become({ kind: "limited", until: this.#parts.now() + retryAfterMs });
  }

  #fail(message: ParleyMessage, { status, code, detail, requestId, maxLength }: Failure): void {
    // 408 (timeout) and 425 (too early) may be temporary; other 4xx are final.
    const isFinal = status < 500 && status !== 408 && status !== 425;
    if (isFinal)
      this.#parts.transcript.replace({ ...message, rejected: code, ...(maxLength && { maxLength }) });
    this.#become({ kind: "failed", code, requestId });
    this.#parts.onError({ code, message: detail, requestId });
  }
}

type Failure = Extract<Outcome, { kind: "failed" }>;
