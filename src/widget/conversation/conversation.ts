import type { ParleyError, ParleyMessage, ParleyStatus } from "../public.d.ts";
import type { Kept, Transcript } from "./transcript.ts";
import type { ChatCall, Outcome } from "./transport.ts";

/** What the conversation needs from outside; replaced in tests. */
export interface ConversationParts {
  botId: string;
  transcript: Transcript;
  post: (
    call: Pick<ChatCall, "request" | "idempotencyKey" | "signal" | "onMeta" | "onDelta">,
  ) => Promise<Outcome>;
  now: () => number;
  newId: () => string;
  isOnline: () => boolean;
  /** Calls `run` after `delayMs`; returns a function that takes it back. */
  later: (run: () => void, delayMs: number) => () => void;
  onMessage: (message: ParleyMessage) => void;
  onError: (error: ParleyError) => void;
}

const IDLE: ParleyStatus = { kind: "idle" };
/** Ends the id of what there is of an answer that broke off; the answer's own id begins as it does. */
const PART = ".answer.part";
/** In these, a message waits for its answer, for the network, or for a limit to pass: a new one has to queue. */
const BUSY = new Set<ParleyStatus["kind"]>(["waiting", "streaming", "limited", "queued", "capped"]);

/**
 * One visitor's conversation with one bot: at most one message is under way. A message keeps its id through every
 * retry, and the id is its idempotency key: whatever the network does, it is answered and counted once.
 */
export class Conversation {
  readonly #parts: ConversationParts;
  #status = IDLE;
  /** Aborted to give up the message that is under way. */
  #flight = new AbortController();
  #cancelTimer: (() => void) | undefined;
  /** Written while the conversation was busy. */
  readonly #outbox: string[] = [];
  #earlier: Kept | undefined;
  readonly #listeners = new Set<() => void>();

  constructor(parts: ConversationParts) {
    this.#parts = parts;
  }

  readonly status = (): ParleyStatus => this.#status;
  readonly messages = (): readonly ParleyMessage[] => this.#parts.transcript.messages();
  readonly kept = (): Kept => this.#parts.transcript.snapshot();

  /** The visitor's last message, if it has no whole answer yet and may get one; a person has what has a number. */
  readonly openQuestion = (): ParleyMessage | undefined => {
    const last = this.messages().findLast(({ id }) => !id.endsWith(PART));
    return last?.role === "visitor" && !last.unsent && !last.number ? last : undefined;
  };

  /** Calls the listener after every change of messages or status. */
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

  /** Sends the last message again, or another one that was not sent, under the same id. */
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

  /** Deletes a message that has no answer; what waited behind it goes out. */
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

  /** Starts afresh; the conversation so far can be had back until this page goes, or the next conversation begins. */
  readonly startOver = (): void => {
    const left = this.#parts.transcript.snapshot();
    this.reset();
    this.#earlier = left;
    this.#become(this.#status);
  };

  /** Changes what is kept; a message that somebody else has written is told of. */
  readonly keep = (changed: Partial<Kept>, heard?: ParleyMessage): void => {
    this.#parts.transcript.restore(changed);
    this.#become(this.#status);
    if (heard) this.#parts.onMessage(heard);
  };

  /** What `startOver` left. */
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

  /** The network is back: what waited for it is sent. */
  readonly online = (): void => {
    if (this.#status.kind === "queued") this.retry();
  };

  /** Takes up a message that an earlier page load left without an answer: sends it, or says again why it was refused. */
  readonly resume = (): void => {
    const open = this.openQuestion();
    if (this.#status.kind !== "idle") return;
    if (open?.rejected) this.#become({ kind: "failed", code: open.rejected });
    else this.retry();
  };

  /** Shows what another tab has written, unless a message is under way here. */
  takeOver(): void {
    if (this.#status.kind !== "idle") return;
    this.#parts.transcript.reload();
    this.#become(IDLE);
  }

  /** Gives up whatever is under way, in silence. */
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
   * Another message goes before one that has no answer: that stays, marked as not sent unless a part of its answer stands below it. What was
   * refused came back for editing.
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
        // What an earlier attempt told is told anew.
        if (streamed === "") parts.transcript.drop(message.id + PART);
        streamed += text;
        this.#become({ kind: "streaming", text: streamed });
      },
    });
    // `abandon` has put another flight in its place: nobody waits for this answer any more.
    if (this.#flight !== flight) return;
    // Not before the end: a retry under the same idempotency key has to send the same conversation id as the first attempt.
    if (outcome.kind === "stopped" && begun) parts.transcript.setConversationId(begun);
    this.#settle(message, outcome, streamed, startedAt);
  }

  #settle(message: ParleyMessage, outcome: Outcome, streamed: string, startedAt: number): void {
    const parts = this.#parts;
    // A retry replaces it; the page hears of the whole answer only.
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
    // 408 (timeout) and 425 (too early) may pass; any other 4xx stays what it is, however often it is asked.
    const isFinal = status < 500 && status !== 408 && status !== 425;
    if (isFinal)
      this.#parts.transcript.replace({ ...message, rejected: code, ...(maxLength && { maxLength }) });
    this.#become({ kind: "failed", code, requestId });
    this.#parts.onError({ code, message: detail, requestId });
  }
}

type Failure = Extract<Outcome, { kind: "failed" }>;
