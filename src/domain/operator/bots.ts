import { type Static, Type } from "@sinclair/typebox";

import { ActionMethod } from "../action.ts";
import { listOf, named, oneOf } from "../schemas.ts";
import { Outcome } from "./overview.ts";

/** Where a version came from: `file`: by `seed`; `console`: by the operator API. */
export const BotOrigin = oneOf(["file", "console"]);
export type BotOrigin = Static<typeof BotOrigin>;

/** One line of the list of bots. */
export const BotSummary = named("BotSummary", {
  id: Type.String(),
  name: Type.String(),
  enabled: Type.Boolean(),
  version: Type.Integer(),
  origin: BotOrigin,
  intents: Type.Integer(),
  updatedAt: Type.Integer(),
  /** In this UTC month. */
  messages: Type.Integer(),
  cap: Type.Optional(Type.Integer()),
  hasDraft: Type.Boolean(),
});
export type BotSummary = Static<typeof BotSummary>;

/** A mistake or a warning, with its place in the YAML. */
export const BotMistake = Type.Object({
  /** From 1; absent if it concerns the whole file. */
  line: Type.Optional(Type.Integer()),
  column: Type.Optional(Type.Integer()),
  message: Type.String(),
  severity: oneOf(["error", "warning"]),
  /** The bot is not published with it, unless `acceptFaults` is sent. */
  isFault: Type.Optional(Type.Literal(true)),
});
export type BotMistake = Static<typeof BotMistake>;

/** An endpoint of the configuration that a bot may call: its name and what may be called, no address and no secret. */
export const CallableEndpoint = Type.Object({
  name: Type.String(),
  methods: listOf(ActionMethod),
  /** In each, `*` is one segment. */
  paths: listOf(Type.String()),
});
export type CallableEndpoint = Static<typeof CallableEndpoint>;

/** GET /api/v1/bots/:bot. Its ETag names the version; `If-Match` takes it. */
export const BotDetails = named("BotDetails", {
  ...BotSummary.properties,
  /** As it was published, comments included; of a bot seeded before texts were kept, written from its document. */
  yaml: Type.String(),
  /** Without `enabled`. */
  document: Type.Unknown({ description: "The bot as JSON" }),
  publishedBy: Type.String(),
  mistakes: listOf(BotMistake),
  /** Those that the configuration lets it call. */
  endpoints: listOf(CallableEndpoint),
});
export type BotDetails = Static<typeof BotDetails>;

/** POST /api/v1/bots/:bot/validate */
export const BotValidation = named("BotValidation", {
  mistakes: listOf(BotMistake),
  /** Absent if the YAML cannot be read as a bot. */
  document: Type.Optional(Type.Unknown()),
  /** Greeting of its widget if the bot has none, in its language, with `{botName}`. */
  defaultWelcome: Type.Optional(Type.String()),
});
export type BotValidation = Static<typeof BotValidation>;

/** The draft of a bot: one per bot, shared by all editors. It has its own ETag. */
export const BotDraft = named("BotDraft", {
  yaml: Type.String(),
  /** The version that was being looked at when the draft was begun. */
  baseVersion: Type.Integer(),
  /** Another one with each change of it; its ETag is made of it, and publishing names it. */
  revision: Type.Integer(),
  updatedAt: Type.Integer(),
  updatedBy: Type.String(),
});
export type BotDraft = Static<typeof BotDraft>;

export const BotVersionSummary = named("BotVersionSummary", {
  version: Type.Integer(),
  origin: BotOrigin,
  publishedAt: Type.Integer(),
  publishedBy: Type.String(),
  /** The publisher's note; absent if there is none. */
  note: Type.Optional(Type.String()),
  /** The version that a roll-back restored; absent if this was not a roll-back. */
  restoredFrom: Type.Optional(Type.Integer()),
});
export type BotVersionSummary = Static<typeof BotVersionSummary>;

/** GET /api/v1/bots/:bot/versions/:version */
export const BotVersionDetails = named("BotVersionDetails", {
  ...BotVersionSummary.properties,
  /** As it was published; of a version from before texts were kept, written from its document. */
  yaml: Type.String(),
  document: Type.Unknown({ description: "The bot as JSON" }),
});
export type BotVersionDetails = Static<typeof BotVersionDetails>;

/** A decision in few words. */
export const DecisionSummary = Type.Object({
  outcome: Outcome,
  intent: Type.Union([Type.String(), Type.Null()]),
  reason: Type.Union([Type.String(), Type.Null()]),
  rule: Type.String(),
});
export type DecisionSummary = Static<typeof DecisionSummary>;

/** A message that a draft would decide otherwise. */
export const ChangedMessage = Type.Object({
  /** The latest request with this text. */
  requestId: Type.String(),
  conversationId: Type.String(),
  text: Type.String(),
  /** How many of the looked at messages have this text. */
  times: Type.Integer(),
  before: DecisionSummary,
  after: DecisionSummary,
});
export type ChangedMessage = Static<typeof ChangedMessage>;

export const TestOutcome = Type.Object({
  /** Place in the bot's `tests`, from 1. */
  test: Type.Integer(),
  passed: Type.Boolean(),
  utterance: Type.String(),
  mismatches: listOf(
    Type.Object({
      field: oneOf(["intent", "decision", "response"]),
      expected: Type.Union([Type.String(), Type.Null()]),
      got: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
});
export type TestOutcome = Static<typeof TestOutcome>;

/** Effects of publishing. */
export const PublishPreview = named("PublishPreview", {
  /** The version that it was compared with. */
  baseVersion: Type.Integer(),
  mistakes: listOf(BotMistake),
  tests: listOf(TestOutcome),
  /** Real messages that were decided by both, the latest first chosen; and how many of them have the same text as another. */
  messages: Type.Integer(),
  distinct: Type.Integer(),
  /** A refusal that becomes an answer: each must be ticked before publishing. */
  newlyAnswered: listOf(ChangedMessage),
  /** Was answered, and no longer is; or was answered by another intent with less certainty: to look at. */
  worse: listOf(ChangedMessage),
  /** Was not answered, and is. */
  improved: listOf(ChangedMessage),
  /** Answered by another intent. */
  moved: listOf(ChangedMessage),
  /** Cross-validation of the examples: how many were answered correctly or asked back correctly; absent if there are too few. */
  crossValidation: Type.Optional(
    Type.Object({
      before: Type.Object({ right: Type.Integer(), asked: Type.Integer(), judged: Type.Integer() }),
      after: Type.Object({ right: Type.Integer(), asked: Type.Integer(), judged: Type.Integer() }),
    }),
  ),
  /** Whether the published version came from files. `seed` itself reports the changes that it would undo. */
  replacesFile: Type.Boolean(),
  tookMs: Type.Number(),
});
export type PublishPreview = Static<typeof PublishPreview>;

/** A line of an NDJSON stream: progress, then the result or the error. */
export type Progress<Result> =
  | { kind: "step"; step: string; done: number; of: number }
  /** The part of the result known so far, if the rest takes longer. */
  | { kind: "part"; result: Result }
  | { kind: "result"; result: Result }
  | { kind: "problem"; code: string; detail: string };

/** Two intents whose examples are confused with each other. */
export const IntentOverlap = Type.Object({
  intents: Type.Tuple([Type.String(), Type.String()]),
  confused: Type.Integer(),
  total: Type.Integer(),
  examplesToMove: listOf(Type.Object({ text: Type.String(), from: Type.String(), to: Type.String() })),
});
export type IntentOverlap = Static<typeof IntentOverlap>;

/** POST /api/v1/bots/:bot/review (NDJSON): how well it understands, by cross-validation. */
export const BotReviewResult = named("BotReviewResult", {
  grade: Type.Union([oneOf(["good", "fair", "weak"]), Type.Null()]),
  right: Type.Integer(),
  asked: Type.Integer(),
  /** Those that documents answered. */
  documents: Type.Integer(),
  judged: Type.Integer(),
  next: Type.String(),
  overlaps: listOf(IntentOverlap),
  warnings: listOf(Type.String()),
});
export type BotReviewResult = Static<typeof BotReviewResult>;

/** A document that a bot answers from, as it is listed. */
export const KnowledgeDocument = Type.Object({
  /** Its id, repeated to confirm the deletion. */
  id: Type.String(),
  source: Type.String(),
  title: Type.String(),
  url: Type.Optional(Type.String()),
  passages: Type.Integer(),
  /** By upload; only these can be deleted here, the others leave with their files. */
  isUploaded: Type.Boolean(),
});
export type KnowledgeDocument = Static<typeof KnowledgeDocument>;
