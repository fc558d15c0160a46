import { ServiceError } from "../domain/errors.ts";
import type { Now } from "../domain/time.ts";
import { sleepUnlessAborted } from "../model/deadline.ts";
import { answeredElsewhere, type IdempotencyKey } from "../store/idempotency.ts";
import type { EarlierAnswer, TurnStore } from "../store/turn-store.ts";
import { type Answered, chatResponseOf, KeyTaken, type Listener, type Message } from "./message.ts";
import { answerTurn, type TurnParts } from "./turn/answer-turn.ts";

/** The parts that `answerMessage` uses. */
export interface AnswerParts extends TurnParts {
  runningAnswers: Pick<RunningAnswers, "answerOnce">;
}

/**
 * Answers an admitted message; a message with an idempotency key is answered once. The answer is on disk when the promise
 * resolves.
 *
 * @throws ServiceError as `answerTurn` does, and INVALID_REQUEST with status 422 when the key was used for another message.
 */
export async function answerMessage(
  parts: AnswerParts,
  message: Message,
  listener: Listener,
): Promise<Answered> {
  const { idempotencyKey, requestId } = message;
  if (!idempotencyKey) return { requestId, response: await answerTurn(parts, message, listener) };
  return parts.runningAnswers.answerOnce(idempotencyKey, listener.left, async (nobodyWaits, retried) => ({
    requestId,
    response: await answerTurn(parts, { ...message, ...retried }, { ...listener, left: nobodyWaits }),
  }));
}

/** The parts that idempotency uses. */
export interface RunningAnswersParts {
  store: Pick<TurnStore, "findEarlierAnswer" | "forgetAnswer">;
  now: Now;
  /** Milliseconds for which an answer without callers continues, for a retry to join. */
  retryGraceMs: number;
}

/** The turn that a retry replaces, and its conversation, in which the retry continues. */
type RetriedTurn = Required<Pick<Message, "replaces" | "conversationId">>;

type Found = Answered | "elsewhere" | RetriedTurn | undefined;

/** Answers a message; the signal aborts when all callers have left and no retry has joined. */
type Answer = (nobodyWaits: AbortSignal, retried: RetriedTurn | undefined) => Promise<Answered>;

/** An answer in progress, with its request and its callers. */
interface RunningAnswer {
  bodyHash: string;
  audience: Audience;
  answer: Promise<Answered>;
}

/** Answers each message with an idempotency key once, across all servers of a store. */
export class RunningAnswers {
  readonly #parts: RunningAnswersParts;
  /** By embed token and key. */
  readonly #running = new Map<string, RunningAnswer>();

  constructor(parts: RunningAnswersParts) {
    this.#parts = parts;
  }

  /**
   * Runs `answer`, unless the key was answered within 24 hours or is being answered: then that answer is returned. A failed answer is
   * discarded, so that a retry may succeed.
   *
   * @param left aborts when this caller disconnects.
   * @throws ServiceError INVALID_REQUEST with status 422 if the key was used for another body; STORAGE_UNAVAILABLE if another server
   * takes longer than the maximum wait.
   */
  async answerOnce(key: IdempotencyKey, left: AbortSignal, answer: Answer): Promise<Answered> {
    const running = this.#running.get(nameOf(key)) ?? this.#start(key, answer);
    assertSameBody(running.bodyHash, key);
    running.audience.join(left);
    return running.answer;
  }

  #start(key: IdempotencyKey, answer: Answer): RunningAnswer {
    const audience = new Audience(this.#parts.retryGraceMs);
    const started = this.#findOrAnswer(key, answer, audience.signal).finally(() => {
      this.#running.delete(nameOf(key));
      audience.close();
    });
    const running = { bodyHash: hex(key.bodyHash), audience, answer: started };
    this.#running.set(nameOf(key), running);
    return running;
  }

  /** Answers a message that has no answer. Waits while another server answers it, and takes over if that server fails or dies. */
  async #findOrAnswer(key: IdempotencyKey, answer: Answer, nobodyWaits: AbortSignal): Promise<Answered> {
    for (const pauseMs of pausesOfWaiting()) {
      const earlier = await this.#find(key);
      const found = isFree(earlier) ? await unlessTaken(answer(nobodyWaits, earlier)) : earlier;
      if (found !== "elsewhere") return found;
      await sleepUnlessAborted(pauseMs, nobodyWaits);
      if (nobodyWaits.aborted) break;
    }
    throw answeredElsewhere();
  }

  /** @returns the stored answer; `elsewhere` while another server answers; for a free key the turn to replace, or undefined. */
  async #find(key: IdempotencyKey): Promise<Found> {
    const { store, now } = this.#parts;
    const earlier = await store.findEarlierAnswer(key, now());
    if (!earlier) return undefined;
    if (earlier.state === "unanswered") return this.#free(key, earlier);
    assertSameBody(hex(earlier.bodyHash), key);
    if (earlier.state === "running") return "elsewhere";
    const { turn } = earlier;
    return { requestId: turn.requestId, response: chatResponseOf(turn.conversationId, turn) };
  }

  /** A key used for another message replaces no turn. */
  async #free(
    key: IdempotencyKey,
    { bodyHash, turn }: Extract<EarlierAnswer, { state: "unanswered" }>,
  ): Promise<RetriedTurn | undefined> {
    await this.#parts.store.forgetAnswer(key, turn.requestId);
    if (hex(bodyHash) !== hex(key.bodyHash)) return undefined;
    return { replaces: turn.requestId, conversationId: turn.conversationId };
  }
}

function isFree(found: Found): found is RetriedTurn | undefined {
  return found === undefined || (found !== "elsewhere" && "replaces" in found);
}

async function unlessTaken(answer: Promise<Answered>): Promise<Answered | "elsewhere"> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof KeyTaken) return "elsewhere";
    throw error;
  }
}

function nameOf({ embedToken, keyHash }: IdempotencyKey): string {
  return `${embedToken} ${hex(keyHash)}`;
}

function assertSameBody(bodyHash: string, key: IdempotencyKey): void {
  if (bodyHash === hex(key.bodyHash)) return;
  throw new ServiceError(
    "INVALID_REQUEST",
    "This Idempotency-Key was used for another message; use a new key for a new message.",
    { status: 422 },
  );
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

const FIRST_PAUSE_MS = 25;
const PAUSE_GROWTH = 1.5;
/** Longest pause between checks. Visitors hardly notice it after an answer by a model. Chosen by hand. */
const MAX_PAUSE_MS = 250;
/** The default deadline of a model (60 s) and a dead server's lease (15 s). */
const MAX_WAIT_MS = 75_000;

/** Pauses between checks for another server's answer; ends after the longest wait. */
function* pausesOfWaiting(): Generator<number, void> {
  let waitedMs = 0;
  let pauseMs = FIRST_PAUSE_MS;
  while (waitedMs < MAX_WAIT_MS) {
    yield pauseMs;
    waitedMs += pauseMs;
    pauseMs = Math.min(pauseMs * PAUSE_GROWTH, MAX_PAUSE_MS);
  }
}

/**
 * The callers of one answer. When the last of them has left and none has joined for a while, `signal` aborts: the answer is
 * no longer needed.
 */
export class Audience {
  readonly #left = new AbortController();
  readonly #graceMs: number;
  #present = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `graceMs`: how long an answer without callers continues. */
  constructor(graceMs: number) {
    this.#graceMs = graceMs;
  }

  get signal(): AbortSignal {
    return this.#left.signal;
  }

  /** Adds a caller until `leaving` aborts. */
  join(leaving: AbortSignal): void {
    clearTimeout(this.#timer);
    this.#present += 1;
    if (leaving.aborted) this.#leave();
    else leaving.addEventListener("abort", () => this.#leave(), { once: true });
  }

  /** The answer is complete: leaving has no effect any more. */
  close(): void {
    clearTimeout(this.#timer);
    this.#present = Number.POSITIVE_INFINITY;
  }

  #leave(): void {
    this.#present -= 1;
    if (this.#present > 0) return;
    this.#timer = setTimeout(() => this.#left.abort(), this.#graceMs);
  }
}
