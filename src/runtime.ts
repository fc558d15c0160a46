import pino, { type Logger } from "pino";

import { type AuthFailures, createAuthFailures } from "./access/auth-failures.ts";
import { type TrustedProxies, parseTrustedProxies } from "./access/client-address.ts";
import type { RateLimiter } from "./access/rate-limiter.ts";
import { createTokenBuckets } from "./access/token-bucket.ts";
import { EmbeddingIndexes } from "./bots/embedding-indexes.ts";
import { followRegistry, loadBots } from "./bots/follow-registry.ts";
import { BotRegistry } from "./bots/registry.ts";
import { Audience } from "./chat/audience.ts";
import { ConversationLanes } from "./chat/conversation-lanes.ts";
import type { Config } from "./config/config.ts";
import type { ChatResponse } from "./domain/chat.ts";
import { type EmbedToken, type RandomBytes, secureRandomBytes } from "./domain/ids.ts";
import type { EpochMs, Now } from "./domain/time.ts";
import { type Metrics, createMetrics } from "./metrics.ts";
import { sleepUnlessAborted } from "./model/deadline.ts";
import { type ModelFleet, openModelFleet } from "./model/model-fleet.ts";
import { EmbedTokenCache } from "./store/embed-token-cache.ts";
import { Store } from "./store/store.ts";
import { sweepExpired } from "./store/sweep-expired.ts";

/** An answer on its way, the request it is for, and who waits for it. */
export interface RunningAnswer {
  bodyHash: string;
  audience: Audience;
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
  models: ModelFleet;
  embeddingIndexes: EmbeddingIndexes;
  /** Answers on their way, by caller and idempotency key. */
  runningAnswers: Map<string, RunningAnswer>;
  /** How long such an answer goes on for a retry when everyone who waited for it has left. */
  retryGraceMs: number;
  metrics: Metrics;
  log: Logger;
  now: Now;
  randomBytes: RandomBytes;
  /** The embed token of the demo pages; absent where there are none. */
  demoToken?: EmbedToken;
  /** Conversations whose last turn is older than this have expired. */
  conversationsNotBefore: () => EpochMs;
}

/** What tests replace, and what a command adds. */
export interface RuntimeParts extends Partial<
  Pick<Runtime, "now" | "randomBytes" | "log" | "demoToken" | "retryGraceMs">
> {
  /** Holds the keys of model servers; the process's environment where it is not given. */
  env?: Readonly<Record<string, string | undefined>>;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** Buckets kept apart; callers beyond share some (about 400 bytes each). */
const MAX_CALLERS = 100_000;
const MAX_FAILING_ADDRESSES = 20_000;
const RETRY_GRACE_MS = 10_000;
/** How long turns that were cut may take to be stored. What is later is given back at the next start. */
const LAST_TURNS_MS = 2000;

/**
 * Wires the parts together and keeps them current: bots and tokens that another process changes are reloaded within a
 * second, and what has expired is deleted in small steps.
 *
 * @throws UnusableDatabaseError
 */
export async function openRuntime(config: Config, parts: RuntimeParts = {}): Promise<Runtime> {
  const now = parts.now ?? Date.now;
  const metrics = createMetrics();
  const log = parts.log ?? pino({ level: config.logLevel });
  const randomBytes = parts.randomBytes ?? secureRandomBytes;
  const store = openStore(config, now, metrics);
  const { retentionDays } = config;
  const models = openModels(config, parts, { metrics, log });
  const bucketOptions = { now: parts.now ?? (() => performance.now()), hashSeed: randomSeed(randomBytes) };
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
    models,
    embeddingIndexes: new EmbeddingIndexes(store, models),
    runningAnswers: new Map<string, RunningAnswer>(),
    retryGraceMs: parts.retryGraceMs ?? RETRY_GRACE_MS,
    metrics,
    log,
    now,
    randomBytes,
    ...(parts.demoToken !== undefined && { demoToken: parts.demoToken }),
    conversationsNotBefore: () => (retentionDays === undefined ? 0 : now() - retentionDays * DAY_MS),
  };
  // Before the bots are loaded: a change in between must not be missed.
  const watch = store.watchRegistry();
  try {
    metrics.unfinishedTurns.inc(await store.giveBackUnfinished());
    if (store.isShared) {
      log.warn(
        "another server runs on this data folder: caps hold for both, token buckets for each by itself",
      );
    }
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
      await Promise.race([runtime.lanes.idle(), Bun.sleep(LAST_TURNS_MS)]);
      await store[Symbol.asyncDispose]();
    },
  };
}

function openStore(config: Config, now: Now, metrics: Metrics): Store {
  return new Store({
    dataDir: config.data,
    now,
    busyTimeoutMs: 0,
    onCommit({ groupSize, milliseconds }) {
      metrics.commitSeconds.observe(milliseconds / 1000);
      metrics.commitGroupSize.observe(groupSize);
    },
  });
}

function randomSeed(randomBytes: RandomBytes): number {
  return Buffer.from(randomBytes(4)).readUInt32LE();
}

function openModels(
  { models }: Config,
  { env = process.env }: RuntimeParts,
  { metrics, log }: Pick<Runtime, "metrics" | "log">,
): ModelFleet {
  for (const [server, { apiKeyEnv }] of Object.entries(models)) {
    if (apiKeyEnv !== undefined && !env[apiKeyEnv]) {
      log.warn({ server, variable: apiKeyEnv }, "the key of a model server is not in the environment");
    }
  }
  const world = { now: Date.now, random: Math.random, sleep: sleepUnlessAborted };
  return openModelFleet(models, env, world, ({ server, outcome, reason, milliseconds }, usage) => {
    metrics.modelCalls.inc({ server, outcome });
    metrics.modelSeconds.observe({ server }, milliseconds / 1000);
    if (outcome === "unavailable" || outcome === "timeout") {
      log.warn({ server, outcome, reason, milliseconds }, "a model server did not answer");
    }
    if (!usage) return;
    metrics.modelTokens.inc({ server, kind: "prompt" }, usage.promptTokens);
    metrics.modelTokens.inc({ server, kind: "completion" }, usage.completionTokens);
  });
}

function trustedProxiesOf({ trustProxy }: Config): TrustedProxies {
  const parsed = parseTrustedProxies(trustProxy.join(","));
  if (!parsed.ok) throw new Error(`--trust-proxy: ${parsed.message}`);
  return parsed.proxies;
}
