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
const REGISTRY_POLL_MS = 200;
const EXPIRY_SWEEP_MS = 60_000;
const EXPIRY_STEP_PAUSE_MS = 50;

/**
 * Wires the parts together and keeps them current: bots and tokens that another process changes are reloaded within a
 * second, and what has expired is deleted in small steps.
 *
 * @throws UnusableDatabaseError
 */
export function openRuntime(config: Config, parts: RuntimeParts = {}): Runtime {
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
    bots: new BotRegistry(store.bots),
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
  const upkeep = [followRegistry(runtime), sweepExpired(runtime)];
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

type Upkeep = Pick<Runtime, "store" | "bots" | "embedTokens" | "log" | "now" | "conversationsNotBefore">;

function followRegistry({ store, bots, embedTokens, log }: Upkeep): () => void {
  const watch = store.watchRegistry();
  const timer = setInterval(() => {
    try {
      if (!watch.poll()) return;
      bots.reload();
      embedTokens.clear();
      log.info({ bots: bots.size }, "bots and embed tokens reloaded");
    } catch (error) {
      log.error({ err: error }, "bots and embed tokens could not be reloaded; the next poll tries again");
    }
  }, REGISTRY_POLL_MS);
  return () => clearInterval(timer);
}

function sweepExpired({ store, log, now, conversationsNotBefore }: Upkeep): () => void {
  let stopped = false;
  const sweep = async () => {
    try {
      while (!stopped && (await store.deleteExpired(now(), conversationsNotBefore()))) {
        await Bun.sleep(EXPIRY_STEP_PAUSE_MS);
      }
    } catch (error) {
      log.error({ err: error }, "expired conversations could not be deleted; the next sweep tries again");
    }
  };
  const timer = setInterval(() => void sweep(), EXPIRY_SWEEP_MS);
  return () => {
    stopped = true;
    clearInterval(timer);
  };
}
