import type { RateLimit } from "../../domain/bot.ts";
import type { BucketState, RateLimiter } from "../rate-limiter.ts";
import { type BucketKind, bucketName } from "./bucket-connection.ts";
import type { BucketServer } from "./bucket-server.ts";

interface SharedBucketsOptions {
  kind: BucketKind;
  server: Pick<BucketServer, "isUp" | "take">;
  /** Counts while the server does not. */
  own: RateLimiter;
}

/**
 * A token bucket per caller that all instances share, exact for all together. While its server does not answer, this process's own buckets
 * count. They know what this process has let through, so that a caller gains nothing here when the server goes.
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
