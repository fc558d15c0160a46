import { createAuthFailures, type RateLimiter } from "../access/rate-limiter.ts";
import { BucketServer, SharedBuckets } from "../access/shared-buckets/bucket-server.ts";
import { TokenBuckets } from "../access/token-bucket.ts";
import type { AdmitParts } from "../chat/admission/admit.ts";
import type { Config } from "../config/config.ts";
import type { World } from "./world.ts";

/** Buckets kept apart, in 10 MB; callers beyond share some. */
const MAX_CALLERS = 200_000;
const MAX_FAILING_ADDRESSES = 20_000;

/** The limiters of callers, with a function that closes them. */
export interface Limiters extends Pick<AdmitParts, "buckets" | "authFailures" | "defaultLimit"> {
  /** Of operators: of this process alone, as they are few. */
  signInAttempts: RateLimiter;
  close: () => void;
}

/** Opens the token buckets: those of this process, or those that all instances share, if their server is configured. */
export async function openLimiters(config: Config, world: World): Promise<Limiters> {
  const { rateLimitCapacity: capacity, rateLimitPerMinute: perMinute } = config;
  const own = openOwnBuckets(world);
  const { callers, failures, close } = await shareBuckets(own, config, world);
  return {
    buckets: callers,
    authFailures: createAuthFailures(failures),
    signInAttempts: own.signIns,
    defaultLimit: { capacity, perMinute },
    close,
  };
}

interface Buckets {
  callers: RateLimiter;
  failures: RateLimiter;
}

interface OwnBuckets extends Buckets {
  signIns: RateLimiter;
}

function openOwnBuckets({ steadyNow: now, randomBytes }: World): OwnBuckets {
  const bytes = Buffer.from(randomBytes(8));
  const hashKey = [bytes.readUInt32LE(0), bytes.readUInt32LE(4)] as const;
  return {
    callers: new TokenBuckets({ now, hashKey, maxCallers: MAX_CALLERS }),
    failures: new TokenBuckets({ now, hashKey, maxCallers: MAX_FAILING_ADDRESSES }),
    signIns: new TokenBuckets({ now, hashKey, maxCallers: MAX_FAILING_ADDRESSES }),
  };
}

/** Starts even if the server does not answer. */
async function shareBuckets(
  own: Buckets,
  { buckets: url }: Config,
  { log, metrics }: World,
): Promise<Buckets & { close: () => void }> {
  if (url === undefined) return { ...own, close: () => {} };
  const server = new BucketServer({ url, log, onChange: (isUp) => metrics.showSharedBuckets(isUp) });
  await server.start();
  return {
    callers: new SharedBuckets({ kind: "caller", server, own: own.callers }),
    failures: new SharedBuckets({ kind: "authentication", server, own: own.failures }),
    close: () => server[Symbol.dispose](),
  };
}
