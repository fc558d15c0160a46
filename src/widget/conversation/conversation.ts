import type { ParleyError, ParleyMessage, ParleyStatus } from "../public.d.ts";
import type { Transcript } from "./transcript.ts";
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
  onChange: () => void;
  onMessage: (message: ParleyMessage) => void;
  onError: (error: ParleyError) => void;
}

export interface Conversation {
  readonly status: () => ParleyStatus;
  readonly messages: () => readonly ParleyMessage[];
  readonly send: (text: string) => void;
  readonly retry: () => void;
  readonly stop: () => void;
  readonly reset: () => void;
  /** The network is back: what waited for it is sent. */
  readonly online: () => void;
  /** Takes up a message that an earlier page load left without an answer: sends it, or says again why it was refused. */
  readonly resume: () => void;
  readonly destroy: () => void;
}

const IDLE: ParleyStatus = { kind: "idle" };
/** Statuses that must not be asked to send anything else. */
const BUSY = new Set<ParleyStatus["kind"]>(["waiting", "streaming", "limited", "queued", "capped"]);

/**
 * One visitor's conversation with one bot: at most one message is under way. A message keeps its id through every
 * retry, and the id is its idempotency key: whatever the network does, it is answered and counted once.
 */
export function createConversation(parts: ConversationParts): Conversation {
  const { transcript } = parts;
  let status: ParleyStatus = IDLE;
  let flight = new AbortController();
  let cancelTimer: (() => void) | undefined;
  const outbox: string[] = [];

  function become(next: ParleyStatus): void {
    status = next;
    parts.onChange();
  }

  function lastQuestion(): ParleyMessage | undefined {
    const last = transcript.messages().at(-1);
    return last?.role === "visitor" ? last : undefined;
  }

  function send(text: string): void {
    const trimmed = text.trim();
    if (trimmed === "") return;
    if (BUSY.has(status.kind)) {
      outbox.push(trimmed);
      return;
    }
    const open = lastQuestion();
    if (open?.text === trimmed && !open.rejected) return retry();
    if (open !== undefined) transcript.drop(open.id);
    const message: ParleyMessage = { id: parts.newId(), role: "visitor", text: trimmed, at: parts.now() };
    transcript.add(message);
    parts.onMessage(message);
    void deliver(message);
  }

  function retry(): void {
    const open = lastQuestion();
    if (open !== undefined) void deliver(open);
  }

  async function deliver(message: ParleyMessage): Promise<void> {
    if (!parts.isOnline()) return become({ kind: "queued" });
    flight = new AbortController();
    const { signal } = flight;
    const startedAt = parts.now();
    let streamed = "";
    let begun: string | undefined;
    become({ kind: "waiting" });
    const outcome = await parts.post({
      request: { botId: parts.botId, input: message.text, conversationId: transcript.conversationId() },
      idempotencyKey: message.id,
      signal,
      onMeta: (conversationId) => (begun = conversationId),
      onDelta(text) {
        if (signal.aborted) return;
        streamed += text;
        become({ kind: "streaming", text: streamed });
      },
    });
    // After a reset or destroy, flight is another one: this answer belongs to nobody.
    if (flight.signal !== signal) return;
    // Only now: a retry has to say exactly what the first attempt said.
    if (outcome.kind === "stopped" && begun) transcript.setConversationId(begun);
    settle(message, outcome, streamed, startedAt);
  }

  function settle(message: ParleyMessage, outcome: Outcome, streamed: string, startedAt: number): void {
    switch (outcome.kind) {
      case "answered":
        transcript.setConversationId(outcome.response.conversationId);
        return answer(message, {
          text: outcome.response.response,
          intentDetected: outcome.response.intentDetected,
          metadata: outcome.response.metadata,
          requestId: outcome.requestId,
          durationMs: parts.now() - startedAt,
        });
      case "stopped":
        return answer(message, { text: streamed, stopped: true });
      case "limited":
        return limit(message, outcome.retryAfterMs);
      case "capped":
        return become({ kind: "capped", until: parts.now() + outcome.retryAfterMs });
      case "unreachable":
        return become({ kind: parts.isOnline() ? "unreachable" : "queued" });
      case "failed":
        return fail(message, outcome);
    }
  }

  function answer(question: ParleyMessage, fields: Partial<ParleyMessage>): void {
    const message: ParleyMessage = {
      id: `${question.id}.answer`,
      role: "bot",
      text: "",
      at: parts.now(),
      ...fields,
    };
    transcript.add(message);
    become(IDLE);
    parts.onMessage(message);
    const next = outbox.shift();
    if (next !== undefined) send(next);
  }

  function limit(message: ParleyMessage, retryAfterMs: number): void {
    cancelTimer = parts.later(() => void deliver(message), retryAfterMs);
    become({ kind: "limited", until: parts.now() + retryAfterMs });
  }

  function fail(message: ParleyMessage, failure: Extract<Outcome, { kind: "failed" }>): void {
    const final = failure.status < 500 && failure.status !== 408 && failure.status !== 425;
    if (final) transcript.replace({ ...message, rejected: failure.code });
    const { code, detail, requestId } = failure;
    become({ kind: "failed", code, requestId });
    parts.onError({ code, message: detail, requestId });
  }

  function abandon(): void {
    const left = flight;
    flight = new AbortController();
    left.abort();
    cancelTimer?.();
    outbox.length = 0;
  }

  return {
    status: () => status,
    messages: transcript.messages,
    send,
    retry,
    stop() {
      if (status.kind === "limited" || status.kind === "queued") {
        cancelTimer?.();
        become({ kind: "unreachable" });
      } else flight.abort();
    },
    reset() {
      abandon();
      transcript.clear();
      become(status.kind === "capped" ? status : IDLE);
    },
    online() {
      if (status.kind === "queued") retry();
    },
    resume() {
      const open = lastQuestion();
      if (status.kind !== "idle") return;
      if (open?.rejected) become({ kind: "failed", code: open.rejected });
      else retry();
    },
    destroy: abandon,
  };
}
