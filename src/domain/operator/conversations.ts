import { type Static, Type } from "@sinclair/typebox";

import { ChatMetadata } from "../chat.ts";
import { DecisionReceipt } from "../decision.ts";
import { FeedbackRequest } from "../feedback.ts";
import { HandoffEvent } from "../handoff.ts";
import { listOf, named, oneOf, optionalFlag } from "../schemas.ts";
import { Subject } from "../subject.ts";
import { HandoffRow } from "./handoffs.ts";
import { Outcome } from "./overview.ts";

/** Query of GET /api/v1/conversations. */
export const ConversationQuery = Type.Object({
  bot: Type.Optional(Type.String()),
  /** Words to find in messages or answers. */
  q: Type.Optional(Type.String({ maxLength: 200 })),
  decision: Type.Optional(Outcome),
  intent: Type.Optional(Type.String()),
  /** The visitor's rating of the answer. */
  rating: Type.Optional(FeedbackRequest.properties.rating),
  /** Milliseconds since 1970; `from` inclusive, `to` exclusive. */
  from: Type.Optional(Type.Integer()),
  to: Type.Optional(Type.Integer()),
  /** `next` of the previous page: returns older conversations. */
  cursor: Type.Optional(Type.String()),
  /** `newest` of an earlier page: returns only newer conversations. */
  newer: Type.Optional(Type.String()),
  /** Rows of a page (default 50). */
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
});
export type ConversationQuery = Static<typeof ConversationQuery>;

export const ConversationRow = named("ConversationRow", {
  id: Type.String(),
  bot: Type.String(),
  startedAt: Type.Integer(),
  turns: Type.Integer(),
  /** Number of its answers that the visitor rated as unhelpful. */
  unhelpful: Type.Integer(),
  /** The latest turn that matches the query. */
  latest: Type.Object({
    requestId: Type.String(),
    at: Type.Integer(),
    /** Absent if texts are not stored. */
    input: Type.Optional(Type.String()),
    intent: Type.Union([Type.String(), Type.Null()]),
    outcome: Outcome,
  }),
});
export type ConversationRow = Static<typeof ConversationRow>;

export const ConversationPage = named("ConversationPage", {
  items: listOf(ConversationRow),
  /** null: there is nothing older. */
  next: Type.Union([Type.String(), Type.Null()]),
  /** Cursor for newer conversations; null if there are no conversations. */
  newest: Type.Union([Type.String(), Type.Null()]),
  /**
   * Share of the messages (0–1) that are counted and can be searched; absent if all are. Uncounted messages are listed too, but a page
   * reads only a limited number of them: with many uncounted messages and a narrow filter it may be short or empty although `next` is set.
   */
  indexed: Type.Optional(Type.Number()),
});
export type ConversationPage = Static<typeof ConversationPage>;

/** A stored rating. */
export const TurnFeedback = Type.Object({
  rating: FeedbackRequest.properties.rating,
  /** In the visitor's words; absent if there is none, or if texts are not stored. */
  reason: Type.Optional(Type.String()),
  at: Type.Integer(),
});
export type TurnFeedback = Static<typeof TurnFeedback>;

export const ConversationTurn = Type.Object({
  requestId: Type.String(),
  at: Type.Integer(),
  botVersion: Type.Integer(),
  state: oneOf(["complete", "unanswered", "cut"]),
  outcome: Outcome,
  /** Absent if texts are not stored. */
  input: Type.Optional(Type.String()),
  response: Type.Optional(Type.String()),
  intent: Type.Union([Type.String(), Type.Null()]),
  metadata: ChatMetadata,
  /** Its subject; absent if nothing was answered, or texts are not stored. */
  subject: Type.Optional(Subject),
  receipt: DecisionReceipt,
  /** The visitor's rating; absent without one. */
  feedback: Type.Optional(TurnFeedback),
});
export type ConversationTurn = Static<typeof ConversationTurn>;

/** GET /api/v1/conversations/:id */
export const ConversationDetails = named("ConversationDetails", {
  id: Type.String(),
  bot: Type.String(),
  startedAt: Type.Integer(),
  /** Empty if the visitor asked for a person before sending a message. */
  turns: listOf(ConversationTurn),
  /** Hand-offs, with what the visitor entered in the form. */
  handoffs: listOf(HandoffRow),
  /**
   * Messages during hand-offs, and operators joining and leaving. A visitor's message to an operator is also in `turns`, with the same
   * `at`.
   */
  people: listOf(HandoffEvent),
});
export type ConversationDetails = Static<typeof ConversationDetails>;

/** A range of text, in UTF-16 code units. */
export const Span = Type.Object({ from: Type.Integer(), to: Type.Integer() });
export type Span = Static<typeof Span>;

/** A receipt in the form in which it is displayed. GET /api/v1/turns/:requestId/explanation, and part of each trial. */
export const ReceiptView = named("ReceiptView", {
  /** The decision and its reason in one sentence. */
  verdict: Type.String(),
  outcome: Outcome,
  rule: Type.String(),
  reason: Type.Union([Type.String(), Type.Null()]),
  intent: Type.Union([Type.String(), Type.Null()]),
  /** The part of the message that decided; absent if the whole message did, if the part cannot be located, or if the text is not stored. */
  decidedBy: Type.Optional(Span),
  /** Probabilities (0–1) with their thresholds (0–1), in the order in which they are checked. */
  scores: listOf(
    Type.Object({
      name: oneOf(["deny", "match", "knowledge"]),
      value: Type.Number(),
      threshold: Type.Number(),
    }),
  ),
  /** Best first. */
  intents: listOf(
    Type.Object({ intent: Type.String(), confidence: Type.Number(), isAllowed: Type.Boolean() }),
  ),
  /**
   * Words of the message with their contribution to the deciding intent's score; negative ones speak against it. By falling absolute value.
   */
  words: listOf(Type.Object({ word: Type.String(), pull: Type.Number() })),
  /** The most similar example; `likeness` is its similarity. */
  nearest: Type.Union([
    Type.Object({ intent: Type.String(), text: Type.String(), likeness: Type.Number() }),
    Type.Null(),
  ]),
  /** Checks in order, with their results. */
  steps: listOf(
    Type.Object({
      step: Type.String(),
      result: oneOf(["passed", "decided", "not-reached"]),
      detail: Type.Optional(Type.String()),
    }),
  ),
  /** Passages found, best first; empty if `candidates` is present. */
  passages: listOf(Type.Object({ title: Type.String(), score: Type.Number() })),
  /** Candidates for the answer, best first; absent if the bot's documents were not searched. */
  candidates: Type.Optional(
    listOf(
      Type.Object({
        /** Name of the intent or of the passage. */
        name: Type.String(),
        kind: oneOf(["intent", "passage"]),
        /** Probability, 0–1, that it is asked for, among all candidates and none. */
        chance: Type.Number(),
        isAllowed: Type.Boolean(),
        /** Whether it was the answer, or part of it. */
        isSaid: Type.Boolean(),
        /** Evidence for and against it, compared with the others. */
        why: Type.String(),
      }),
    ),
  ),
  /** Why the likeliest candidate was not the answer although it was likely, in a sentence. */
  notSaid: Type.Optional(Type.String()),
  /** Subject of the turn, if it differs from its intent. */
  about: Type.Optional(Type.String()),
  /** Advice for the operator in a sentence; absent if there is none. */
  advice: Type.Optional(Type.String()),
  /** For a stored turn: whether replaying the decision gives the same result. */
  agrees: Type.Optional(Type.Boolean()),
  /** Version of the encoder that the decision used, if this server has another one. A replay then proves nothing, so `agrees` is absent. */
  encoderGone: Type.Optional(Type.String()),
  /** What an action did in the turn, one line per fact. */
  action: Type.Optional(listOf(Type.String())),
  model: Type.Optional(
    Type.Object({
      calls: listOf(
        Type.Object({ model: Type.String(), result: Type.String(), milliseconds: Type.Number() }),
      ),
      promptTokens: Type.Integer(),
      completionTokens: Type.Integer(),
      /** Why the model's wording was not used. */
      rejected: Type.Optional(Type.String()),
    }),
  ),
});
export type ReceiptView = Static<typeof ReceiptView>;

/** A message of a trial; 16,000 is the highest `maxInputLength` of a bot. */
const TriedMessage = Type.String({ minLength: 1, maxLength: 16_000 });

/** POST /api/v1/bots/:bot/try: neither stored nor counted. */
export const TryRequest = named("TryRequest", {
  input: TriedMessage,
  /** Absent: the published version. */
  yaml: Type.Optional(Type.String()),
  conversation: Type.Optional(
    Type.String({ maxLength: 100, description: "`conversation` of an earlier result, to continue from it" }),
  ),
  before: Type.Optional(
    Type.Array(TriedMessage, {
      maxItems: 20,
      description:
        "Earlier messages of the visitor, oldest first; judged again, without model servers, if the server no longer has `conversation`",
    }),
  ),
  judgeOnly: optionalFlag(
    "true: judge a message that is still being typed; no model server or endpoint is called, and the message is not added to the conversation",
  ),
  callEndpoints: optionalFlag(
    "true: actions really call their endpoints, with all effects; requires the permission `bots.write` (default false: the receipt says what would be called). Messages in `before` never call endpoints",
  ),
});
export type TryRequest = Static<typeof TryRequest>;

export const TryResult = named("TryResult", {
  response: Type.String(),
  intent: Type.Union([Type.String(), Type.Null()]),
  metadata: ChatMetadata,
  outcome: Outcome,
  receipt: ReceiptView,
  tookMs: Type.Number(),
  conversation: Type.Optional(
    Type.String({
      description:
        "Pass it as `conversation` with the next message to continue from this one; absent with `judgeOnly`",
    }),
  ),
  wouldAsk: Type.Optional(
    listOf(
      oneOf(["intent", "answer"], {
        description:
          "With `judgeOnly`: what model servers would be asked for – the intent, which they may change, or the text of the answer. `response` is empty if only a model could answer",
      }),
    ),
  ),
});
export type TryResult = Static<typeof TryResult>;
