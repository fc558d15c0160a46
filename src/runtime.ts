import type { Logger } from "pino";

import type { RateLimiter } from "./access/rate-limiter.ts";
import type { EndpointCaller } from "./action/endpoint-caller.ts";
import { BotInspection } from "./bots/bot-inspection.ts";
import type { KnowledgeOf } from "./bots/bot-knowledge.ts";
import { EmbeddingIndexes } from "./bots/embedding-indexes.ts";
import { EncodeBehind } from "./bots/encode-behind.ts";
import { type Judge, JudgingThread } from "./bots/judging-thread.ts";
import { loadBots } from "./bots/load-bots.ts";
import type { LoadedBot } from "./bots/loaded-bot.ts";
import { PassageVectors } from "./bots/passage-vectors.ts";
import { RegistryFollower } from "./bots/registry-follower.ts";
import { BotRegistry } from "./bots/registry.ts";
import { SentenceVectors } from "./bots/sentence-vectors.ts";
import { NO_VECTORS, type Vectors } from "./bots/vectors.ts";
import {
  admit,
  admitBeside,
  type AdmitBeside,
  type Admitted,
  type ChatBody,
  type IncomingRequest,
} from "./chat/admission/admit.ts";
import { answerMessage, type AnswerParts, RunningAnswers } from "./chat/answer-message.ts";
import { ConversationLanes, TurnSlots } from "./chat/concurrent-turns.ts";
import { askForPerson, type PersonRequest } from "./chat/handoff/ask-for-person.ts";
import { EventHub } from "./chat/handoff/event-hub.ts";
import { passToPerson } from "./chat/handoff/pass-to-person.ts";
import type { Answered, Listener, Message } from "./chat/message.ts";
import { rateAnswer } from "./chat/rate-answer.ts";
import type { Config } from "./config/config.ts";
import type { Feedback } from "./domain/feedback.ts";
import type { HandoffResponse } from "./domain/handoff.ts";
import {
  type EmbedToken,
  newConversationId,
  newHandoffId,
  newRequestId,
  type RandomBytes,
  type RequestId,
} from "./domain/ids.ts";
import type { Environment } from "./domain/os-user.ts";
import type { EpochMs, Now } from "./domain/time.ts";
import { waitAtMost } from "./domain/waiting.ts";
import { EncoderThread, setEncoder } from "./intent/classifier.ts";
import type { Metrics } from "./metrics.ts";
import type { ModelFleet } from "./model/model-fleet.ts";
import { agreeOnEncoder } from "./runtime/agree-on-encoder.ts";
import { openLimiters } from "./runtime/open-limiters.ts";
import { openNotifier, warnOfUnknownBots } from "./runtime/open-notifier.ts";
import { openEndpoints, openModels } from "./runtime/open-servers.ts";
import type { ServerStoreParts } from "./runtime/open-store.ts";
import type { TurnPath } from "./runtime/rehearsed-turns.ts";
import { openEventReporting, startReporting } from "./runtime/report-events.ts";
import { lookBeforeScrapes } from "./runtime/scrape.ts";
import { expiryOf, noteStart, openServerStore, openTurns, tendStore } from "./runtime/server-store.ts";
import { openWorld, type World, type WorldParts } from "./runtime/world.ts";
import { CountBehind } from "./store/count-behind.ts";
import { EmbedTokenCache } from "./store/embed-token-cache.ts";
import type { Store } from "./store/interface/store.ts";
import { LEASE_TIMES } from "./store/lease-observer.ts";
import type { TurnStore } from "./store/turn-store.ts";

/** The wired parts of a server or a rehearsal. */
export interface Runtime extends AsyncDisposable {
  admit: (request: IncomingRequest<ChatBody>) => Promise<Admitted<ChatBody>>;
  answer: (message: Message, listener: Listener) => Promise<Answered>;
  /** As `admit`, for requests other than messages, which have their own bucket. */
  admitBeside: AdmitBeside;
  rate: (answer: { bot: LoadedBot; requestId: RequestId }, feedback: Feedback) => Promise<boolean>;
  askForPerson: (request: PersonRequest) => Promise<HandoffResponse>;
  /** Events of conversations that an operator has taken over. */
  handoffEvents: EventHub;
  /** Resolves when the encoder has read everything that is due, or an attempt has failed. */
  encoded: () => Promise<void>;
  /** To be called when there is a notice for a team. */
  nudgeNotifier: () => void;
  store: Store;
  bots: BotRegistry;
  metrics: Metrics;
  log: Logger;
  now: Now;
  startedAt: EpochMs;
  randomBytes: RandomBytes;
  models: ModelFleet;
  endpoints: EndpointCaller;
  embedTokens: EmbedTokenCache;
  /** Counts attempts to sign in as an operator. */
  signInAttempts: RateLimiter;
  /** Counts messages for the console, in the background. */
  counting: CountBehind;
  newRequestId: () => RequestId;
  /** The embed token of the demo pages; absent if there are none. */
  demoToken?: EmbedToken;
}

/** Parts that tests replace and commands add. */
export interface RuntimeParts extends WorldParts, ServerStoreParts {
  demoToken?: EmbedToken;
  /** Streams of GET /chat/events at a time. */
  mostEventStreams?: number;
  /** Events of turns that may wait for a webhook. */
  mostOfTurns?: number;
  /** How long an answer that no caller waits for continues, for a retry. */
  retryGraceMs?: number;
  /** Holds the keys of model servers; default: the process's environment. */
  env?: Environment;
  /** Encodes messages and documents; default: the process's encoding thread. */
  encoder?: Pick<EncoderThread, "encode">;
  /** Encodes examples and passages, after visitors' texts; default: the process's encoding thread. */
  encoderBehind?: Pick<EncoderThread, "encode">;
  /** Judges messages; default: long ones on a thread that starts with the first. */
  judge?: Judge;
  /** Calls endpoints; default: those of the configuration. */
  endpoints?: EndpointCaller;
  /** Replaces the store on the path of a message, if nothing is to be stored. */
  turns?: TurnPath;
  /** Where bots' documents are; default: in the store. */
  knowledgeOf?: KnowledgeOf;
  /** Fills the store before the bots are loaded. */
  prepare?: (store: Store) => void | Promise<void>;
}

const RETRY_GRACE_MS = 10_000;
/** How long deliveries that are on their way may take; the next server tries later ones again. */
const LAST_DELIVERIES_MS = 2000;
/** How long turns that were cut may take to be stored. Later ones are given back as soon as another server runs. */
const LAST_TURNS_MS = 2000;

/**
 * Wires the parts together and keeps them current: bots and tokens that another process changes are reloaded within a
 * second, and what has expired is deleted in small steps.
 *
 * @throws UnusableDatabaseError
 */
export async function openRuntime(config: Config, parts: RuntimeParts = {}): Promise<Runtime> {
  // Opened parts are closed in reverse order: at once if a later part fails to open, otherwise when the runtime is closed.
  await using opening = new AsyncDisposableStack();
  const world = openWorld(config, parts);
  opening.defer(world.flushLog);
  const { log, metrics, now, randomBytes } = world;
  const serverStore = await openServerStore(config, parts, world);
  const store = opening.use(serverStore.store);
  const models = openModels(config, parts.env ?? process.env, world);
  const { knowledgeOf } = parts;
  const bots = new BotRegistry(store, { encoder: config.encoder, ...(knowledgeOf && { knowledgeOf }) });
  const inspection = new BotInspection({ store, models, webhooks: config.webhooks, log });
  const embedTokens = new EmbedTokenCache(store, now);
  const limiters = await openLimiters(config, world);
  opening.defer(() => limiters.close());
  const thread = opening.use(
    new EncoderThread({ onRefused: (queue) => metrics.encoderRefusals.inc({ queue }) }),
  );
  const judging = opening.use(new JudgingThread());
  const lanes = new ConversationLanes();
  opening.defer(() => waitAtMost(lanes.idle(), LAST_TURNS_MS));
  const encoder = parts.encoder ?? thread;
  const conversationsNotBefore = expiryOf(config, now);
  const { encoderBehind } = parts;
  const encoding = opening.use(
    new EncodeBehind({
      store,
      bots,
      log,
      metrics,
      random: Math.random,
      ...(encoderBehind && { encoder: encoderBehind }),
    }),
  );
  const isEncoding = config.encoder === "on" && parts.turns === undefined;
  const load = async () => {
    await loadBots({ store, bots, inspection, log });
    metrics.bots.follow(bots.heads());
    if (isEncoding) encoding.nudge();
  };
  // Before the bots are loaded: a change in between must not be missed.
  const watch = await store.watchGeneration();
  await fill(store, config, parts, world, load);
  opening.defer(setEncoder(config.encoder));
  lookBeforeScrapes(store, world);
  const turns = openTurns(store, config, world);
  const notifier = openNotifier(store, config, parts.env ?? process.env, world);
  opening.defer(() => waitAtMost(notifier.stop(), LAST_DELIVERIES_MS));
  const counting = opening.use(
    new CountBehind({ store, log, ...openEventReporting(notifier, world, parts.mostOfTurns) }),
  );
  opening.defer(() => inspection.stop());
  opening.defer(turns.stopForgetting);
  for (const stop of tendStore(serverStore, config, parts, world)) opening.defer(stop);
  opening.defer(new RegistryFollower({ watch, health: store.health, bots, embedTokens, load, log }).follow());
  const admitParts = { ...limiters, embedTokens, bots, now, metrics };
  const handoffEvents = opening.use(
    new EventHub({
      handoffs: store.handoffs,
      now,
      log,
      ...(parts.mostEventStreams !== undefined && { mostStreams: parts.mostEventStreams }),
    }),
  );
  const passParts = { handoffs: store.handoffs, onSaid: () => handoffEvents.nudge() };
  const handoffParts = {
    store,
    notifier,
    now,
    newConversationId: () => newConversationId(now(), randomBytes),
    newHandoffId: () => newHandoffId(now(), randomBytes),
    conversationsNotBefore,
  };
  const slots = new TurnSlots({ limit: config.maxTurnsInFlight, metrics });
  const endpoints = parts.endpoints ?? openEndpoints(config, parts.env ?? process.env, world);
  const answerParts = wireAnswers(
    world,
    {
      store: turns.store,
      models,
      lanes,
      judge: parts.judge ?? judging.judge,
      encoder,
      vectors: vectorsFor(store, config, parts, encoder),
      conversationsNotBefore,
      passToPerson: (message, conversation, listener) =>
        passToPerson(passParts, message, conversation, now(), listener),
      embeddingIndexes: new EmbeddingIndexes(store, models),
      actions: store.actions,
      endpoints,
    },
    parts,
  );
  const opened = opening.move();
  return {
    store,
    bots,
    metrics,
    log,
    now,
    startedAt: now(),
    randomBytes,
    models,
    endpoints,
    embedTokens,
    signInAttempts: limiters.signInAttempts,
    counting,
    ...(parts.demoToken !== undefined && { demoToken: parts.demoToken }),
    admit: (request) => admit(admitParts, request),
    answer: (message, listener) => slots.run(() => answerMessage(answerParts, message, listener)),
    admitBeside: admitBeside(admitParts),
    rate: (answer, feedback) => rateAnswer({ store, now, notifier, keeping: config }, answer, feedback),
    askForPerson: (request) => askForPerson(handoffParts, request),
    handoffEvents,
    encoded: () => encoding.idle(),
    nudgeNotifier: notifier.nudge,
    newRequestId: () => newRequestId(now(), randomBytes),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** A rehearsal stores nothing: what passages mean is encoded when it is asked for. */
function vectorsFor(
  store: Store,
  { encoder: setting }: Config,
  { turns }: RuntimeParts,
  encoder: Pick<EncoderThread, "encode">,
): Vectors {
  if (setting === "off") return NO_VECTORS;
  return turns === undefined
    ? new PassageVectors({ store: store.vectors, encoder })
    : new SentenceVectors(encoder);
}

function wireAnswers(
  { now, randomBytes, metrics, log }: World,
  own: { store: TurnStore } & Pick<
    AnswerParts,
    | "models"
    | "lanes"
    | "judge"
    | "encoder"
    | "vectors"
    | "conversationsNotBefore"
    | "embeddingIndexes"
    | "passToPerson"
    | "actions"
    | "endpoints"
  >,
  { retryGraceMs = RETRY_GRACE_MS, turns }: RuntimeParts,
): AnswerParts {
  const { store } = own;
  return {
    ...own,
    store: turns ?? store,
    now,
    randomBytes,
    metrics,
    log,
    newConversationId: () => newConversationId(now(), randomBytes),
    runningAnswers: new RunningAnswers({ store, now, retryGraceMs }),
  };
}

/** Enters the server among those on the folder, gives back what an earlier one left unfinished, and loads the bots. */
async function fill(
  store: Store,
  config: Config,
  { prepare, lease = LEASE_TIMES }: RuntimeParts,
  world: World,
  load: () => Promise<void>,
): Promise<void> {
  const { metrics, log } = world;
  await prepare?.(store);
  metrics.unfinishedTurns.inc(await store.giveBackUnfinished());
  await agreeOnEncoder({ ...world, vectors: store.vectors, lease }, config);
  await noteStart(store, config, world);
  await startReporting(store, config.webhooks, world.now());
  if (store.isShared) {
    const buckets =
      config.buckets === undefined ? "for each by itself, without --buckets" : "as --buckets says";
    log.warn(
      `another server runs on this store: caps and idempotency keys hold for both, token buckets ${buckets}`,
    );
  }
  await load();
  await warnOfUnknownBots(store, config.webhooks, log);
}
