import { createHash } from "node:crypto";

import { RedisClient } from "bun";

import type { RateLimit } from "../../domain/bot.ts";
import type { SecretUrl } from "../../domain/secret-url.ts";
import { sha256 } from "../../domain/sha256.ts";
import { type BucketState, thousandthsPerMinute } from "../rate-limiter.ts";
import { MESSAGE, stateOf } from "../token-bucket.ts";
import text from "./take.lua" with { type: "text" };

/** The script that takes a message. The server runs it as a whole, by its own clock. */
export const TAKE_SCRIPT = text;

/** The script's name for `EVALSHA`. */
const TAKE_SHA1 = createHash("sha1").update(text).digest("hex");

/** Kinds of buckets. */
export type BucketKind = "caller" | "authentication";

/** The name of a bucket on the server: of one length whatever the caller's is, and without an address in clear. */
export function bucketName(kind: BucketKind, callerKey: string): string {
  return `parley:${kind}:${sha256(callerKey).toString("base64url")}`;
}

/** Arguments of `EVAL` and `EVALSHA` after the script. */
export function takeArguments(name: string, limit: RateLimit): string[] {
  const mostDebt = (limit.capacity - 1) * MESSAGE;
  return ["1", name, String(MESSAGE), String(mostDebt), String(thousandthsPerMinute(limit))];
}

/** The caller's state after the script. @throws Error if `reply` is not one of the script's replies. */
export function readTaken(reply: unknown, limit: RateLimit): BucketState {
  const [taken, debt] = Array.isArray(reply) ? (reply as unknown[]) : [];
  if (typeof taken !== "number" || typeof debt !== "number") {
    throw new Error("the server answers the script with something else");
  }
  return stateOf({ debt, refill: thousandthsPerMinute(limit) }, limit, taken === 1);
}

/** How long the server is waited for. */
export interface BucketPatience {
  /** How long it may take to connect, with TLS and the password. */
  connectMs: number;
  /** How many checks, 50 ms apart, a call may wait for. */
  lateTicks: number;
}

/** A message waits for no longer than 250 to 300 ms; a server nearby answers in less than one. */
export const BUCKET_PATIENCE: BucketPatience = { connectMs: 500, lateTicks: 5 };

/** Full again a millisecond after it was taken from, so that trying it leaves nothing. */
const TRIAL: RateLimit = { capacity: 1, perMinute: 60_000 };
const TRIAL_NAME = "parley:trial";

/** One connection to the server of the buckets. After any failure it cannot be used again. */
export class BucketConnection implements Disposable {
  readonly #client: RedisClient;
  readonly #watch: CallWatch;
  #isLate = false;

  /** `onLost` is called if the connection ends while no call is waiting. */
  constructor(url: SecretUrl, patience = BUCKET_PATIENCE, onLost: (error: Error) => void = () => {}) {
    this.#client = new RedisClient(url.reveal(), {
      enableOfflineQueue: false,
      autoReconnect: false,
      maxRetries: 0,
      connectionTimeout: patience.connectMs,
    });
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- RedisClient has no other way.
    this.#client.onclose = (error) => onLost(this.#causeOf(error));
    this.#watch = new CallWatch(patience.lateTicks, () => {
      this.#isLate = true;
      // Ends every call that waits.
      this.#client.close();
    });
  }

  /** Connects, and tries what messages will need. @throws Error whose message says why it cannot be used. */
  async open(): Promise<void> {
    await this.#client.connect();
    await this.try();
  }

  /** Takes from a bucket of no caller. @throws Error as `take` does */
  async try(): Promise<void> {
    await this.take(TRIAL_NAME, TRIAL);
  }

  /** @throws Error whose message says why the server did not do it, 300 ms after the call at the latest. */
  async take(name: string, limit: RateLimit): Promise<BucketState> {
    this.#watch.begin();
    try {
      return readTaken(await this.#run(takeArguments(name, limit)), limit);
    } catch (error) {
      throw this.#causeOf(error as Error);
    } finally {
      this.#watch.end();
    }
  }

  [Symbol.dispose](): void {
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- RedisClient has no other way.
    this.#client.onclose = null;
    this.#watch.stop();
    this.#client.close();
  }

  #causeOf(error: Error): Error {
    return this.#isLate ? new Error("no answer in time", { cause: error }) : error;
  }

  #run(parts: string[]): Promise<unknown> {
    return this.#client.send("EVALSHA", [TAKE_SHA1, ...parts]).catch((error: unknown) => {
      if (!isUnknownScript(error)) throw error;
      return this.#client.send("EVAL", [TAKE_SCRIPT, ...parts]);
    });
  }
}

/** The server was started again, or its scripts were flushed; `EVAL` loads the script again. */
function isUnknownScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("NOSCRIPT");
}

/** How often calls are looked at while any wait. */
const TICK_MS = 50;

/**
 * Reports that a call has waited for longer than `ticks` checks, 50 ms apart. Time in which this process itself was blocked counts as one
 * check, because it is not the server's fault.
 */
export class CallWatch {
  readonly #ticks: number;
  readonly #onLate: () => void;
  #begun = 0;
  #ended = 0;
  /** How many calls had begun at each of the latest looks, the oldest first. */
  #begunBefore: number[] = [];
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(ticks: number, onLate: () => void) {
    this.#ticks = ticks;
    this.#onLate = onLate;
  }

  /** A call begins. Calls are answered in the order in which they began. */
  begin(): void {
    this.#begun++;
    this.#timer ??= setInterval(() => this.#look(), TICK_MS);
  }

  /** A call has ended, however it did. */
  end(): void {
    this.#ended++;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#begunBefore = [];
  }

  #look(): void {
    if (this.#ended === this.#begun) return this.stop();
    this.#begunBefore.push(this.#begun);
    if (this.#begunBefore.length <= this.#ticks) return;
    const due = this.#begunBefore.shift()!;
    if (this.#ended >= due) return;
    this.stop();
    this.#onLate();
  }
}
