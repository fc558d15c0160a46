import type { ActionState, CallReceipt } from "../../domain/action.ts";
import type { TurnOutcome } from "../../domain/conversation.ts";
import type { DecisionReceipt, DeniedBy, RestrictionReason } from "../../domain/decision.ts";
import type { Rating } from "../../domain/feedback.ts";
import type { ConversationId, IntentName, RequestId } from "../../domain/ids.ts";
import type { EpochMs } from "../../domain/time.ts";
import type { PreviousMessage } from "./analytics.ts";
import type { BotKey } from "./bots.ts";

/** Selects the turns of a sum. */
export interface AuditScope {
  bot: BotKey;
  since: EpochMs;
  /** Only turns with this rating. */
  rating?: Rating;
}

/** Number of turns with one decision. */
export interface DecisionCount {
  decision: TurnOutcome;
  intent: IntentName | null;
  /** In observe mode, the reason of enforcement's decision; null if it would have decided the same. */
  wouldReason: RestrictionReason | null;
  wouldIntent: IntentName | null;
  /** The term or pattern that denied the message, or would have; null if none did. */
  deniedBy: DeniedBy | null;
  turns: number;
}

/** Number of calls of an action with one outcome. */
export interface CallCount extends Pick<CallReceipt, "endpoint" | "method" | "status" | "fault"> {
  intent: IntentName;
  state: ActionState;
  proofFailed: boolean;
  /** Nothing was sent, as in observe mode. */
  isDry: boolean;
  turns: number;
}

/** A message without an answer, or answered by the default intent only. */
export interface UnansweredMessage extends PreviousMessage {
  input: string;
  /** The refused intent, or the closest intent; null if none was close. */
  intent: IntentName | null;
  reason: RestrictionReason;
  /** The term or pattern that denied it; null if none did. */
  deniedBy: DeniedBy | null;
  /** The bot asked back which of several intents was meant. */
  isAskedBack: boolean;
}

/** A rated answer with its message. */
export interface RatedAnswer {
  requestId: RequestId;
  conversationId: ConversationId;
  at: EpochMs;
  /** Empty if texts are not stored, like `response`. */
  input: string;
  response: string;
  intent: IntentName | null;
  decision: TurnOutcome;
  rating: Rating;
  /** The visitor's reason; null if none was given, or texts are not stored. */
  reason: string | null;
}

/** An answered or refused turn whose text was kept, with the messages before and after it. */
export interface AnsweredTurn extends Pick<
  RatedAnswer,
  "requestId" | "conversationId" | "at" | "input" | "response" | "intent" | "decision"
> {
  receipt: Pick<DecisionReceipt, "rule" | "readings" | "alsoIntents" | "candidates" | "knowledge" | "action">;
  /** The visitor's rating and reason; null if there is none. */
  rating: Rating | null;
  why: string | null;
  /** The visitor's messages before and after; null if there is none, its text is not kept, or it replied to an action. */
  before: string | null;
  next: { at: EpochMs; input: string; intent: IntentName | null } | null;
  /** The visitor filled in the hand-off form before any message. */
  askedForPerson: boolean;
}

/** Use of a bot's documents. */
export interface KnowledgeUse {
  /** Turns in which the documents were searched. */
  asked: number;
  /** Of these, turns in which a document answered, or was offered. */
  answered: number;
  offered: number;
  /** How often each document was shown, by its id. */
  shown: ReadonlyMap<string, number>;
}

/**
 * `unmatched`: messages that no intent matched, even if a default intent answered. `unknown`: of these, messages for which no passage
 * was likely. `withheld`: of these, messages with a possible passage that was not shown. `refused`: messages that the profile refused.
 */
export type UnansweredKind = "unmatched" | "unknown" | "withheld" | "refused";

/** A conversation's place among those of its bot, by their beginning. */
export interface ConversationPlace {
  startedAt: EpochMs;
  id: ConversationId;
}

/** A message of a visitor. */
export interface SaidMessage {
  requestId: RequestId;
  conversationId: ConversationId;
  text: string;
}

export interface SaidPage {
  messages: readonly SaidMessage[];
  /** The last of these conversations; undefined at the end. */
  last: ConversationPlace | undefined;
}
