import type { ModelServerSettings } from "../config/models.ts";
import type { Completion, CompletionRequest, Unanswered } from "../domain/completion.ts";
import type { Now } from "../domain/time.ts";
import { soundText } from "./answer-text.ts";
import { callChat, type ServerAnswer } from "./chat-call.ts";
import { checkServer, type ServerReport } from "./check-server.ts";
import { CircuitBreaker } from "./circuit-breaker.ts";
import { Deadline } from "./deadline.ts";
import {
  backoffMs,
  type CallFailure,
  type CallResult,
  MAX_WAIT_MS,
  MAX_RETRIES,
  type ServerAddress,
} from "./http-call.ts";
import { boundUsage } from "./replies.ts";
import { Slots } from "./slots.ts";

/** External parts of calls; tests replace them. */
export interface CallWorld {
  now: Now;
  /** In [0, 1). */
  random: () => number;
  /** Resolves early when the signal aborts. */
  sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

export interface CompletionOptions {
  /** Aborts when the caller has gone or the turn's time is up. */
  signal: AbortSignal;
  /** Requests a stream and receives each piece of the answer. */
  onText?: (text: string) => void;
}

/** A call that was given up. */
export interface GivenUp extends Unanswered {
  ok: false;
}

type Call<Value> = (signal: AbortSignal, address: ServerAddress) => Promise<CallResult<Value>>;

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_CONCURRENT = 32;
/** Statuses that say nothing about the health of a server: the request was at fault, or too many came at once. */
const BLAMELESS = new Set([400, 413, 422, 429]);
/** How servers answer a `response_format` that they do not know. */
const FORMAT_REFUSALS = new Set([400, 404, 422, 500, 501]);

/** One model server with its slots, its circuit breaker, and its known abilities. */
export class ModelServer {
  readonly name: string;
  readonly settings: ModelServerSettings;
  readonly #address: ServerAddress;
  readonly #world: CallWorld;
  readonly #breaker: CircuitBreaker;
  readonly #slots: Slots;
  /** Schemas that the server would not take as `response_format`. */
  readonly #refusedSchemas = new WeakSet<object>();

  constructor(name: string, settings: ModelServerSettings, apiKey: string | undefined, world: CallWorld) {
    this.name = name;
    this.settings = settings;
    this.#address = { baseUrl: settings.baseUrl, ...(apiKey !== undefined && { apiKey }) };
    this.#world = world;
    this.#breaker = new CircuitBreaker(world.now);
    this.#slots = new Slots(settings.maxConcurrent ?? DEFAULT_MAX_CONCURRENT);
  }

  /** Whether the circuit breaker blocks calls to it. */
  get circuit(): CircuitBreaker["state"] {
    return this.#breaker.state;
  }

  /** Tests it with one call of each kind, without taking slots from visitors' calls. Never rejects because of the server. */
  check(): Promise<ServerReport> {
    return checkServer(this.name, this.settings, this.#address.apiKey);
  }

  /** A chat completion. Never rejects because of the server. */
  async complete(request: CompletionRequest, { signal, onText }: CompletionOptions): Promise<Completion> {
    const result = await this.run(signal, (callSignal, address) =>
      this.#ask(request, {
        address,
        settings: this.settings,
        request,
        signal: callSignal,
        now: this.#world.now,
        ...(onText && { onText }),
      }),
    );
    if (result.ok) return completionOf(this.name, request, result.value);
    const { ok: _, ...unanswered } = result;
    return unanswered;
  }

  /** Runs a call within the server's slots, time limit and circuit breaker; retries while nothing of an answer has come. */
  async run<Value>(
    callerSignal: AbortSignal,
    call: Call<Value>,
  ): Promise<{ ok: true; value: Value } | GivenUp> {
    using deadline = new Deadline(this.settings.timeoutMs ?? DEFAULT_TIMEOUT_MS, callerSignal);
    if (!(await this.#slots.take(deadline.signal))) return stopped(deadline);
    try {
      return await this.#runWithRetries(deadline, call);
    } finally {
      this.#slots.release();
    }
  }

  async #runWithRetries<Value>(deadline: Deadline, call: Call<Value>) {
    const { signal } = deadline;
    let reason = "the server is left alone for a while: it failed, or asked for it";
    for (let retry = 0; ; retry += 1) {
      if (!this.#breaker.admit()) return unavailable(reason);
      const result = await call(signal, this.#address);
      this.#learn(result, deadline);
      if (result.ok) return result;
      if (signal.aborted) return { ...stopped(deadline), wasSent: true } as const;
      const waitMs = this.#waitBefore(retry, result, deadline);
      if (waitMs === undefined) return unavailable(result.reason);
      reason = result.reason;
      await this.#world.sleep(waitMs, signal);
      if (signal.aborted) return stopped(deadline);
    }
  }

  #learn(result: CallResult<unknown>, deadline: Deadline): void {
    if (result.ok) this.#breaker.succeeded();
    else if (deadline.signal.aborted && !deadline.hasPassed) this.#breaker.abandoned();
    else if (BLAMELESS.has(result.status ?? 0)) this.#breaker.abandoned();
    else this.#breaker.failed();
    if (!result.ok && (result.retryAfterMs ?? 0) > MAX_WAIT_MS) this.#breaker.rest(result.retryAfterMs!);
  }

  /** Undefined: not to be tried again. */
  #waitBefore(
    retry: number,
    { isRetryable, retryAfterMs }: CallFailure,
    { remainingMs }: Deadline,
  ): number | undefined {
    if (!isRetryable || retry >= MAX_RETRIES) return undefined;
    const waitMs = Math.max(retryAfterMs ?? 0, backoffMs(retry, this.#world.random));
    return waitMs < Math.min(MAX_WAIT_MS, remainingMs) ? waitMs : undefined;
  }

  /** Sends the schema as `response_format` if the server may support it; a server that refuses this is asked without it. */
  async #ask(
    { outputSchema }: CompletionRequest,
    call: Omit<Parameters<typeof callChat>[0], "withSchema">,
  ): Promise<CallResult<ServerAnswer>> {
    const withSchema =
      outputSchema !== undefined &&
      this.settings.structuredOutput !== "none" &&
      !this.#refusedSchemas.has(outputSchema);
    const result = await callChat({ ...call, withSchema });
    if (!withSchema || result.ok || !FORMAT_REFUSALS.has(result.status ?? 0)) return result;
    const plain = await callChat({ ...call, withSchema: false });
    if (plain.ok) this.#refusedSchemas.add(outputSchema);
    return plain;
  }
}

function completionOf(
  server: string,
  request: CompletionRequest,
  { text, refusal, finishReason, usage }: ServerAnswer,
): Completion {
  const counted = usage && { usage: boundUsage(usage, request) };
  if (finishReason === "content_filter" || (refusal !== "" && text === "")) {
    return { outcome: "declined", text: soundText(refusal), server, ...counted };
  }
  const truncated = finishReason === "length";
  if (text.trim() === "") {
    const reason = truncated ? "the token limit was reached before an answer began" : "the answer is empty";
    return { outcome: "unavailable", reason };
  }
  return { outcome: "ok", text, truncated, server, ...counted };
}

function stopped({ hasPassed }: Deadline): GivenUp {
  return hasPassed
    ? { ok: false, outcome: "timeout", reason: "no answer in time" }
    : { ok: false, outcome: "cancelled", reason: "nobody waits for the answer any more" };
}

function unavailable(reason: string): GivenUp {
  return { ok: false, outcome: "unavailable", reason };
}
