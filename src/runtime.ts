import pino, { type Logger } from "pino";

import { createAuthFailures } from "./access/auth-failures.ts";
import { TokenBuckets } from "./access/token-bucket.ts";
import { EmbeddingIndexes } from "./bots/embedding-indexes.ts";
import { loadBots } from "./bots/load-bots.ts";
import { RegistryFollower } from "./bots/registry-follower.ts";
import { BotRegistry } from "./bots/registry.ts";
import { type AdmitParts, type Admitted, type IncomingRequest, admit } from "./chat/admission/admit.ts";
import type { ChatBody } from "./chat/admission/admitted-message.ts";
import { type AnswerParts, answerMessage } from "./chat/answer-message.ts";
import { ConversationLanes } from "./chat/conversation-lanes.ts";
import { RunningAnswers } from "./chat/idempotency/running-answers.ts";
import type { Listener, Message } from "./chat/message.ts";
import type { Config } from "./config/config.ts";
import type { ChatResponse } from "./domain/chat.ts";
import {
  type EmbedToken,
  type RandomBytes,
  type RequestId,
  newConversationId,
  newRequestId,
  secureRandomBytes,
} from "./domain/ids.ts";
import type { EpochMs, Now } from "./domain/time.ts";
import { EncoderThread } from "./intent/classifier.ts";
import { type Metrics, createMetrics } from "./metrics.ts";
import { sleepUnlessAborted } from "./model/deadline.ts";
import { type ModelFleet, openModelFleet } from "./model/model-fleet.ts";
import { EmbedTokenCache } from "./store/embed-token-cache.ts";
import { SparingTurnStore } from "./store/sparing-turn-store.ts";
import { Store } from "./store/store.ts";
import { sweepExpired } from "./store/sweep-expired.ts";
import type { TurnStore } from "./store/turn-store.ts";

/** What a server and a rehearsal do with the parts, once they are wired. */
export interface Runtime extends AsyncDisposable {
  admit: (request: IncomingRequest<ChatBody>) => Promise<Admitted<ChatBody>>;
  answer: (message: Message, listener: Listener) => Promise<ChatResponse>;
  store: Store;
  bots: BotRegistry;
  metrics: Metrics;
  log: Logger;
  newRequestId: () => RequestId;
  /** The embed token of the demo pages; absent where there are none. */
  demoToken?: EmbedToken;
}

/** What tests replace, and what a command adds. */
export interface RuntimeParts {
  now?: Now;
  randomBytes?: RandomBytes;
  log?: Logger;
  demoToken?: EmbedToken;
  /** How long an answer goes on for a retry when everyone who waited for it has left. */
  retryGraceMs?: number;
  /** Holds the keys of model servers; the process's environment where it is not given. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Encodes messages; a thread that starts with the first one where it is not given. */
  encoder?: Pick<EncoderThread, "encode">;
  /** Fills the store before the bots are loaded. */
  prepare?: (store: Store) => void;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** Buckets kept apart; callers beyond share some (about 400 bytes each). */
const MAX_CALLERS = 100_000;
const MAX_FAILING_ADDRESSES = 20_000;
const RETRY_GRACE_MS = 10_000;
/** How much longer than it should a text may stay in memory, where it is on no disk. */
const FORGET_EVERY_MS = 60_000;
/** How long turns that were cut may take to be stored. What is later is given back at the next start. */
const LAST_TURNS_MS = 2000;

/** What nearly every part takes: clock, chance, log and metrics. */
interface World {
  now: Now;
  /** Of which only differences count; never set back. */
  steadyNow: Now;
  randomBytes: RandomBytes;
  log: Logger;
  metrics: Metrics;
}

/**
 * Wires the parts together and keeps them current: bots and tokens that another process changes are reloaded within a
 * second, and what has expired is deleted in small steps.
 *
 * @throws UnusableDatabaseError
 */
export async function openRuntime(config: Config, parts: RuntimeParts = {}): Promise<Runtime> {
  const world = worldOf(config, parts);
  const { log, metrics, now, randomBytes } = world;
  const store = openStore(config, world);
  const models = openModels(config, parts, world);
  const bots = new BotRegistry(store);
  const embedTokens = new EmbedTokenCache(store.embedTokens);
  const lanes = new ConversationLanes();
  const encoder = new EncoderThread();
  const conversationsNotBefore = expiryOf(config, now);
  const load = () => loadBots({ store, bots, models, log });
  // Before the bots are loaded: a change in between must not be missed.
  const watch = store.watchRegistry();
  await fill(store, parts, world, load);
  const turns = openTurns(store, config, world);
  const upkeep = [
    new RegistryFollower({ watch, bots, embedTokens, load, log }).follow(),
    sweepExpired({ store, log, now, conversationsNotBefore }),
    turns.stopForgetting,
  ];
  const admitParts = { ...limitersOf(config, world), embedTokens, bots, now, metrics };
  const answerParts = wireAnswers(
    world,
    {
      store: turns.store,
      models,
      lanes,
      encoder: parts.encoder ?? encoder,
      conversationsNotBefore,
      embeddingIndexes: new EmbeddingIndexes(store, models),
    },
    parts,
  );
  return {
    store,
    bots,
    metrics,
    log,
    ...(parts.demoToken !== undefined && { demoToken: parts.demoToken }),
    admit: (request) => admit(admitParts, request),
    answer: (message, listener) => answerMessage(answerParts, message, listener),
    newRequestId: () => newRequestId(now(), randomBytes),
    async [Symbol.asyncDispose]() {
      for (const stop of upkeep) stop();
      await Promise.race([lanes.idle(), Bun.sleep(LAST_TURNS_MS)]);
      encoder[Symbol.dispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

function wireAnswers(
  { now, randomBytes, metrics, log }: World,
  own: { store: TurnStore } & Pick<
    AnswerParts,
    "models" | "lanes" | "encoder" | "conversationsNotBefore" | "embeddingIndexes"
  >,
  { retryGraceMs = RETRY_GRACE_MS }: RuntimeParts,
): AnswerParts {
  const { store } = own;
  return {
    ...own,
    now,
    metrics,
    log,
    newConversationId: () => newConversationId(now(), randomBytes),
    runningAnswers: new RunningAnswers({ store, now, retryGraceMs }),
  };
}

function worldOf({ logLevel }: Config, parts: RuntimeParts): World {
  return {
    now: parts.now ?? Date.now,
    steadyNow: parts.now ?? (() => performance.now()),
    randomBytes: parts.randomBytes ?? secureRandomBytes,
    log: parts.log ?? pino({ level: logLevel }),
    metrics: createMetrics(),
  };
}

function openStore({ data }: Config, { now, metrics }: World): Store {
  return new Store({
    dataDir: data,
    now,
    busyTimeoutMs: 0,
    onCommit({ groupSize, milliseconds }) {
      metrics.commitSeconds.observe(milliseconds / 1000);
      metrics.commitGroupSize.observe(groupSize);
    },
  });
}

/** What the path of a message stores by: the store itself, unless it is to be given less than was said. */
function openTurns(
  store: Store,
  { storeMessages, redact }: Config,
  { steadyNow }: World,
): { store: TurnStore; stopForgetting: () => void } {
  if (storeMessages === "all" && redact.length === 0) return { store, stopForgetting: () => {} };
  const sparing = new SparingTurnStore(store, { messages: storeMessages, redact }, steadyNow);
  const timer = setInterval(() => sparing.forgetOld(), FORGET_EVERY_MS);
  return { store: sparing, stopForgetting: () => clearInterval(timer) };
}

/** Gives back what an earlier server left unfinished, and loads the bots; closes the store where that fails. */
async function fill(
  store: Store,
  { prepare }: RuntimeParts,
  { metrics, log }: World,
  load: () => Promise<void>,
): Promise<void> {
  try {
    prepare?.(store);
    metrics.unfinishedTurns.inc(await store.giveBackUnfinished());
    if (store.isShared) {
      log.warn(
        "another server runs on this data folder: caps hold for both, token buckets for each by itself",
      );
    }
    await load();
  } catch (error) {
    await store[Symbol.asyncDispose]();
    throw error;
  }
}

/** Conversations whose last turn is older than the instant that it returns have expired. */
function expiryOf({ retentionDays }: Config, now: Now): () => EpochMs {
  return () => (retentionDays === undefined ? 0 : now() - retentionDays * DAY_MS);
}

function limitersOf(
  { rateLimitCapacity: capacity, rateLimitPerMinute: perMinute }: Config,
  { steadyNow: now, randomBytes }: World,
): Pick<AdmitParts, "buckets" | "authFailures" | "defaultLimit"> {
  const hashSeed = Buffer.from(randomBytes(4)).readUInt32LE();
  return {
    buckets: new TokenBuckets({ now, hashSeed, maxCallers: MAX_CALLERS }),
    authFailures: createAuthFailures(new TokenBuckets({ now, hashSeed, maxCallers: MAX_FAILING_ADDRESSES })),
    defaultLimit: { capacity, perMinute },
  };
}

function openModels({ models }: Config, { env = process.env }: RuntimeParts, world: World): ModelFleet {
  const { metrics, log } = world;
  for (const [server, { apiKeyEnv }] of Object.entries(models)) {
    if (apiKeyEnv !== undefined && !env[apiKeyEnv]) {
      log.warn({ server, variable: apiKeyEnv }, "the key of a model server is not in the environment");
    }
  }
  const callWorld = { now: Date.now, random: Math.random, sleep: sleepUnlessAborted };
  return openModelFleet(models, env, callWorld, ({ server, outcome, reason, milliseconds }, usage) => {
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
