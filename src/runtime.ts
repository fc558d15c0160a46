import pino, { type Logger } from "pino";

import { type AuthFailures, createAuthFailures } from "./access/auth-failures.ts";
import { type TrustedProxies, parseTrustedProxies } from "./access/client-address.ts";
import type { RateLimiter } from "./access/rate-limiter.ts";
import { createTokenBuckets } from "./access/token-bucket.ts";
import { BotRegistry } from "./bot-registry.ts";
import type { Config } from "./config.ts";
import { ConversationLanes } from "./conversation-lanes.ts";
import type { ChatResponse } from "./domain/chat.ts";
import { type RandomBytes, secureRandomBytes } from "./domain/ids.ts";
import type { EpochMs, Now } from "./domain/time.ts";
import { EmbedTokenCache } from "./embed-token-cache.ts";
import { type Metrics, createMetrics } from "./metrics.ts";
import { Store } from "./store/store.ts";
import { followRegistry, loadBots, sweepExpired } from "./upkeep.ts";

/** An answer on its way, and the request it is for. */
export interface RunningAnswer {
  bodyHash: string;
  answer: Promise<ChatResponse>;
}

/** Everything a running server is made of. Take the slice you use. */
export interface Runtime extends AsyncDisposable {
  config: Config;
  store: Store;
  bots: BotRegistry;
  embedTokens: EmbedTokenCache;
  buckets: RateLimiter;
  authFailures: AuthFailures;
  trustedProxies: TrustedProxies;
  lanes: ConversationLanes;
  /** Answers on their way, by caller and idempotency key. */
  runningAnswers: Map<string, RunningAnswer>;
  metrics: Metrics;
  log: Logger;
  now: Now;
  randomBytes: RandomBytes;
  /** Conversations whose last turn is older than this have expired. */
  conversationsNotBefore: () => EpochMs;
}

/** What tests replace. */
export type RuntimeParts = Partial<Pick<Runtime, "now" | "randomBytes" | "log">>;

const DAY_MS = 24 * 60 * 60 * 1000;
/** Buckets kept apart; callers beyond share some (about 400 bytes each). */
const MAX_CALLERS = 100_000;
const MAX_FAILING_ADDRESSES = 20_000;

/**
 * Wires the parts together and keeps them current: bots and tokens that another process changes are reloaded within a
 * second, and what has expired is deleted in small steps.
 *
 * @throws UnusableDatabaseError
 */
export async function openRuntime(config: Config, parts: RuntimeParts = {}): Promise<Runtime> {
  const now = parts.now ?? Date.now;
  const metrics = createMetrics();
  const store = new Store({
    dataDir: config.data,
    now,
    busyTimeoutMs: 0,
    onCommit({ groupSize, milliseconds }) {
      metrics.commitSeconds.observe(milliseconds / 1000);
      metrics.commitGroupSize.observe(groupSize);
    },
  });
  const { retentionDays } = config;
  const bucketOptions = {
    now: parts.now ?? (() => performance.now()),
    hashSeed: randomSeed(parts.randomBytes ?? secureRandomBytes),
  };
  const runtime = {
    config,
    store,
    bots: new BotRegistry(store),
    embedTokens: new EmbedTokenCache(store.embedTokens),
    buckets: createTokenBuckets({ ...bucketOptions, maxCallers: MAX_CALLERS }),
    authFailures: createAuthFailures(
      createTokenBuckets({ ...bucketOptions, maxCallers: MAX_FAILING_ADDRESSES }),
    ),
    trustedProxies: trustedProxiesOf(config),
    lanes: new ConversationLanes(),
    runningAnswers: new Map<string, RunningAnswer>(),
    metrics,
    log: parts.log ?? pino({ level: config.logLevel }),
    now,
    randomBytes: parts.randomBytes ?? secureRandomBytes,
    conversationsNotBefore: () => (retentionDays === undefined ? 0 : now() - retentionDays * DAY_MS),
  };
  // Before the bots are loaded: a change in between must not be missed.
  const watch = store.watchRegistry();
  try {
    await loadBots(runtime);
  } catch (error) {
    await store[Symbol.asyncDispose]();
    throw error;
  }
  const upkeep = [followRegistry(runtime, watch), sweepExpired(runtime)];
  return {
    ...runtime,
    async [Symbol.asyncDispose]() {
      for (const stop of upkeep) stop();
      await store[Symbol.asyncDispose]();
    },
  };
}

function randomSeed(randomBytes: RandomBytes): number {
  return Buffer.from(randomBytes(4)).readUInt32LE();
}

function trustedProxiesOf({ trustProxy }: Config): TrustedProxies {
  const parsed = parseTrustedProxies(trustProxy.join(","));
  if (!parsed.ok) throw new Error(`--trust-proxy: ${parsed.message}`);
  return parsed.proxies;
}
