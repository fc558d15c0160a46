import { RedisClient } from "bun";

import type { RateLimit } from "../../domain/bot.ts";
import type { SecretUrl } from "../../domain/secret-url.ts";
import type { BucketState } from "../rate-limiter.ts";
import { CallWatch } from "./call-watch.ts";
import { TAKE_SCRIPT, TAKE_SHA1, readTaken, takeArguments } from "./take-script.ts";

/** How long the server is waited for. */
export interface BucketPatience {
  /** How long it may take to connect, with TLS and the password. */
  connectMs: number;
  /** How many looks of 50 ms a call may wait for. */
  lateTicks: number;
}

/** A message waits for no longer than 250 to 300 ms; a server nearby answers in less than one. */
export const BUCKET_PATIENCE: BucketPatience = { connectMs: 500, lateTicks: 5 };

/** Full again a millisecond after it was taken from, so that trying it leaves nothing. */
const TRIAL: RateLimit = { capacity: 1, perMinute: 60_000 };
const TRIAL_NAME = "parley:trial";

/** One connection to the server of the buckets. Once anything has failed on it, it is of no more use. */
export class BucketConnection implements Disposable {
  readonly #client: RedisClient;
  readonly #watch: CallWatch;
  #isLate = false;

  /** `onLost` hears of a connection that ends while nobody asks anything. */
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

/** The server was started again, or its scripts were flushed; `EVAL` lets it know the script again. */
function isUnknownScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("NOSCRIPT");
}
