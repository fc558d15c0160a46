import { connect } from "node:net";

import type { Logger } from "pino";

import type { RateLimit } from "../../domain/bot.ts";
import type { SecretUrl } from "../../domain/secret-url.ts";
import type { BucketState, RateLimiter } from "../rate-limiter.ts";
import {
  BUCKET_PATIENCE,
  BucketConnection,
  type BucketKind,
  bucketName,
  type BucketPatience,
} from "./bucket-connection.ts";

/** How often the server is tried, whether it answers or not. */
const TRY_EVERY_MS = 1000;
/** Instances that lost the server in the same moment come back apart: each waits for up to so much of the time more or less. */
const SPREAD = 0.25;

interface BucketServerOptions {
  url: SecretUrl;
  log: Pick<Logger, "info" | "warn">;
  /** Called whenever the server begins or ceases to count. */
  onChange: (isUp: boolean) => void;
  /** How long to wait for the server; default: as long as a message may wait. */
  patience?: BucketPatience;
}

/**
 * The server that all instances share their buckets on. While it fails, it gets no calls except one attempt a second to connect. Its
 * failure and its return are each logged once.
 */
export class BucketServer implements Disposable {
  readonly #options: BucketServerOptions;
  #connection: BucketConnection | undefined;
  /** The connection of an attempt that has not ended. */
  #attempt: BucketConnection | undefined;
  #saidUp: boolean | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(options: BucketServerOptions) {
    this.#options = options;
  }

  /** Whether messages are counted there. */
  get isUp(): boolean {
    return this.#connection !== undefined;
  }

  /** Resolves when the first attempt to connect has ended, however it did; a second later at most. */
  async start(): Promise<void> {
    await this.#tend();
  }

  /** Takes one message out of a bucket; undefined if the server does not answer. */
  async take(name: string, limit: RateLimit): Promise<BucketState | undefined> {
    const connection = this.#connection;
    if (connection === undefined) return undefined;
    try {
      return await connection.take(name, limit);
    } catch (error) {
      this.#lose(connection, error);
      return undefined;
    }
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#attempt?.[Symbol.dispose]();
    this.#connection?.[Symbol.dispose]();
    this.#connection = undefined;
  }

  /** Tries the server again and again, so that this process notices a lost server even if no message arrives. */
  async #tend(): Promise<void> {
    const connection = this.#connection;
    if (connection === undefined) await this.#connect();
    else await connection.try().catch((error: unknown) => this.#lose(connection, error));
    if (this.#isClosed) return;
    const spread = 1 + SPREAD * (2 * Math.random() - 1);
    this.#timer = setTimeout(() => void this.#tend(), TRY_EVERY_MS * spread);
  }

  async #connect(): Promise<void> {
    const { url, patience = BUCKET_PATIENCE } = this.#options;
    const connection = new BucketConnection(url, patience, (error) => this.#lose(connection, error));
    this.#attempt = connection;
    try {
      await connection.open();
      this.#connection = connection;
      this.#say(true);
    } catch (error) {
      connection[Symbol.dispose]();
      if (!this.#isClosed && this.#saidUp !== false) this.#say(false, await whyUnreachable(url, error));
    } finally {
      this.#attempt = undefined;
    }
  }

  /** Every call on the connection fails with it; the first one that comes here says so. */
  #lose(connection: BucketConnection, error: unknown): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    connection[Symbol.dispose]();
    this.#say(false, error instanceof Error ? error.message : String(error));
  }

  #say(isUp: boolean, reason?: string): void {
    const { url, log, onChange } = this.#options;
    this.#saidUp = isUp;
    onChange(isUp);
    const server = url.shown;
    if (isUp) log.info({ server }, "token buckets are shared with all instances");
    else
      log.warn(
        { server, reason },
        "token buckets are not shared: this instance counts by itself until their server answers",
      );
  }
}

const DEFAULT_PORT = 6379;
const LOOK_MS = 500;

/**
 * Why no connection could be made, for operators. The client reports only that it is closed, so the port is tried: if it is open, the
 * server refused the connection.
 */
export async function whyUnreachable(url: SecretUrl, error: unknown): Promise<string> {
  const message = error instanceof Error ? error.message : String(error);
  if (!isClosed(error)) return message;
  const fault = await portFault(new URL(url.reveal()));
  if (fault !== undefined) return `its port cannot be reached (${fault})`;
  return "its port is open, but the connection was refused or not finished: look at the password, and at TLS (rediss://)";
}

function isClosed(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === "ERR_REDIS_CONNECTION_CLOSED";
}

/** @returns the code of the error; undefined if the port accepted the connection. */
function portFault({ hostname, port }: URL): Promise<string | undefined> {
  return new Promise((resolve) => {
    const host = hostname.replace(/^\[(.*)\]$/, "$1");
    const socket = connect({ host, port: port === "" ? DEFAULT_PORT : Number(port) });
    const end = (fault: string | undefined) => {
      socket.destroy();
      resolve(fault);
    };
    socket.setTimeout(LOOK_MS, () => end("ETIMEDOUT"));
    socket.once("connect", () => end(undefined));
    socket.once("error", (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  });
}

interface SharedBucketsOptions {
  kind: BucketKind;
  server: Pick<BucketServer, "isUp" | "take">;
  /** Counts while the server does not. */
  own: RateLimiter;
}

/**
 * A token bucket per caller that all instances share, exact for all together. While its server does not answer, this process's own buckets
 * count. They include the messages that this process has admitted, so that a caller gains nothing here when the server fails.
 */
export class SharedBuckets implements RateLimiter {
  readonly #options: SharedBucketsOptions;

  constructor(options: SharedBucketsOptions) {
    this.#options = options;
  }

  take(callerKey: string, limit: RateLimit): BucketState | Promise<BucketState> {
    const { server, own } = this.#options;
    return server.isUp ? this.#takeShared(callerKey, limit) : own.take(callerKey, limit);
  }

  async #takeShared(callerKey: string, limit: RateLimit): Promise<BucketState> {
    const { kind, server, own } = this.#options;
    const shared = await server.take(bucketName(kind, callerKey), limit);
    if (shared?.allowed === false) return shared;
    const counted = await own.take(callerKey, limit);
    return shared ?? counted;
  }
}
