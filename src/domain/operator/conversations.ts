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
  /** Words that stand in a message or its answer. */
  q: Type.Optional(Type.String({ maxLength: 200 })),
  decision: Type.Optional(Outcome),
  intent: Type.Optional(Type.String()),
  /** The visitor's rating of the answer. */
  rating: Type.Optional(FeedbackRequest.properties.rating),
  /** Milliseconds since 1970; `from` inclusive, `to` exclusive. */
  from: Type.Optional(Type.Integer()),
  to: Type.Optional(Type.Integer()),
  /** `next` of the page before, for older conversations. */
  cursor: Type.Optional(Type.String()),
  /** `newest` of an earlier page, for newer conversations only. */
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
  /** Of its answers, how many did not help, as the visitor says. */
  unhelpful: Type.Integer(),
  /** The latest turn that the filter lets through. */
  latest: Type.Object({
    requestId: Type.String(),
    at: Type.Integer(),
    /** Absent where texts are not stored. */
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
   * How far messages have been counted and the search by words been filled, 0–1; absent where counting keeps up. Messages that are not
   * counted are in the list as well: where many are, and a filter lets few of them through, a page may be short, or empty, and go on.
   */
  indexed: Type.Optional(Type.Number()),
});
export type ConversationPage = Static<typeof ConversationPage>;

/** A stored rating. */
export const TurnFeedback = Type.Object({
  rating: FeedbackRequest.properties.rating,
  /** In the visitor's words; absent where they gave none, or texts are not stored. */
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
  /** Absent where texts are not stored. */
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
  /** None where its visitor asked for a person before anything was said. */
  turns: listOf(ConversationTurn),
  /** Hand-offs with the visitor's entries. */
  handoffs: listOf(HandoffRow),
  /** Messages during hand-offs, and operators joining and leaving. Visitors' messages to operators are also turns, with the same instant. */
  people: listOf(HandoffEvent),
});
export type ConversationDetails = Static<typeof ConversationDetails>;

/** A stretch of a text, in UTF-16 units. */
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
  /** The part of the message that decided; absent where the whole did, or the text is not stored. */
  decidedBy: Type.Optional(Span),
  /** Chances 0–1 against thresholds 0–1, in the order in which they are checked. */
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
  /** Words of the message and how much each pulls towards the deciding intent, and away from it below 0; most first. */
  words: listOf(Type.Object({ word: Type.String(), pull: Type.Number() })),
  /** The example that is most like the message. */
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
  /** Passages that were looked up, best first; none where they are among `candidates`. */
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
        isSaid: Type.Boolean(),
        /** Evidence for and against it, compared with the others. */
        why: Type.String(),
      }),
    ),
  ),
  /** A sentence: why a candidate that was sure was not said. */
  notSaid: Type.Optional(Type.String()),
  /** Subject of the turn, if it differs from its intent. */
  about: Type.Optional(Type.String()),
  /** Advice for the operator in a sentence; absent if there is none. */
  advice: Type.Optional(Type.String()),
  /** Of a stored turn: whether deciding it again comes to the same. */
  agrees: Type.Optional(Type.Boolean()),
  /** The encoder that had a part in it, where that is not at hand: deciding it again with another one tells nothing of it. */
  encoderGone: Type.Optional(Type.String()),
  /** The part of an action in the turn, in lines. */
  action: Type.Optional(listOf(Type.String())),
  model: Type.Optional(
    Type.Object({
      calls: listOf(
        Type.Object({ model: Type.String(), result: Type.String(), milliseconds: Type.Number() }),
      ),
      promptTokens: Type.Integer(),
      completionTokens: Type.Integer(),
      /** Why its wording was not used, in words. */
      rejected: Type.Optional(Type.String()),
    }),
  ),
});
export type ReceiptView = Static<typeof ReceiptView>;

/** A message of a trial: no bot takes a longer one, and none takes an empty one. */
const TriedMessage = Type.String({ minLength: 1, maxLength: 16_000 });

/** POST /api/v1/bots/:bot/try: neither stored nor counted. */
export const TryRequest = named("TryRequest", {
  input: TriedMessage,
  /** Absent: the published version. */
  yaml: Type.Optional(Type.String()),
  conversation: Type.Optional(
    Type.String({ maxLength: 100, description: "Of an earlier result: the message goes on from there" }),
  ),
  before: Type.Optional(
    Type.Array(TriedMessage, {
      maxItems: 20,
      description:
        "What was said before, oldest first: judged again, without model servers, where the server does not keep `conversation`",
    }),
  ),
  judgeOnly: optionalFlag(
    "true: as somebody types; no model server is asked, no endpoint called, and the message is no part of the conversation",
  ),
  callEndpoints: optionalFlag(
    "true: endpoints of actions are really called, and what they do is done; takes `bots.write` (default false: the receipt says what would be called). Messages of `before` call none",
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
      description: "What the next message names to go on from this one; absent with `judgeOnly`",
    }),
  ),
  wouldAsk: Type.Optional(
    listOf(
      oneOf(["intent", "answer"], {
        description:
          "With `judgeOnly`, what model servers would be asked about: the intent, which may then be another, or the words of the answer; `response` is empty where only a model could answer",
      }),
    ),
  ),
});
export type TryResult = Static<typeof TryResult>;
