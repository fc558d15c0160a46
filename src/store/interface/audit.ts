import type { ActionState, CallReceipt } from "../../domain/action.ts";
import type { TurnOutcome } from "../../domain/conversation.ts";
import type { DecisionReceipt, DeniedBy, RestrictionReason } from "../../domain/decision.ts";
import type { Rating } from "../../domain/feedback.ts";
import type { ConversationId, IntentName, RequestId } from "../../domain/ids.ts";
import type { EpochMs } from "../../domain/time.ts";
import type { RatingCounts, SaidBehind } from "./analytics.ts";
import type { BotKey } from "./bots.ts";

/** Which turns are summed up. */
export interface AuditScope {
  bot: BotKey;
  since: EpochMs;
  /** Only those whose answer is rated so. */
  rating?: Rating;
}

/** How many turns were decided in one way. */
export interface DecisionCount {
  decision: TurnOutcome;
  intent: IntentName | null;
  /** In observe mode: what enforcement would have answered; null where it would have done the same. */
  wouldReason: RestrictionReason | null;
  wouldIntent: IntentName | null;
  /** The term or pattern that denied them, or would have; null where none did. */
  deniedBy: DeniedBy | null;
  turns: number;
}

/** How many calls of an action came to one thing. */
export interface CallCount extends Pick<CallReceipt, "endpoint" | "method" | "status" | "fault"> {
  intent: IntentName;
  state: ActionState;
  proofFailed: boolean;
  /** Nothing was sent, as in observe mode. */
  isDry: boolean;
  turns: number;
}

/** A message that was not answered, or by the default intent alone. */
export interface UnansweredMessage extends SaidBehind {
  input: string;
  /** What it was refused as, or what came closest; null where nothing did. */
  intent: IntentName | null;
  reason: RestrictionReason;
  /** The term or pattern that denied it; null where none did. */
  deniedBy: DeniedBy | null;
  /** The bot asked which of several intents was meant. */
  isAskedBack: boolean;
}

/** An answer that its visitor rated, with what it answered. */
export interface RatedAnswer {
  requestId: RequestId;
  conversationId: ConversationId;
  at: EpochMs;
  /** Empty where texts are not stored, as `response`. */
  input: string;
  response: string;
  intent: IntentName | null;
  decision: TurnOutcome;
  rating: Rating;
  /** In the visitor's words; null where they gave none, or texts are not stored. */
  reason: string | null;
}

/** A turn that was answered or refused, whose text was kept, with what was said around it. */
export interface AnsweredTurn extends Pick<
  RatedAnswer,
  "requestId" | "conversationId" | "at" | "input" | "response" | "intent" | "decision"
> {
  receipt: Pick<DecisionReceipt, "rule" | "readings" | "alsoIntents" | "candidates" | "knowledge">;
  /** What its visitor thinks of it, and why; null where they did not say. */
  rating: Rating | null;
  why: string | null;
  /** What the visitor said before and after it; null where that is nothing, or its text is not kept. */
  before: string | null;
  next: { at: EpochMs; input: string; intent: IntentName | null } | null;
  /** The visitor filled in the form for a person before anything else was said. */
  askedForPerson: boolean;
}

/** What a bot's documents were asked, and what of it they answered. */
export interface KnowledgeUse {
  /** Turns that they were asked about. */
  asked: number;
  /** Of these, turns in which one of them answered, or was offered. */
  answered: number;
  offered: number;
  /** How often each document was shown, by its id. */
  shown: ReadonlyMap<string, number>;
}

/**
 * Messages that no intent matched, whether or not a default intent answered; those among them that the bot's documents were asked about in
 * vain (`unknown`: no passage was likely; `withheld`: one may answer, and was not shown); and messages that the profile refused.
 */
export type UnansweredKind = "unmatched" | "unknown" | "withheld" | "refused";

/** Sums over stored turns, for operators; never on the path of a message. Results are bounded, whatever was stored. */
export interface Audit {
  /** The ways in which turns were decided, most frequent first. */
  countDecisions(scope: AuditScope): Promise<DecisionCount[]>;
  /** What calls of actions came to, most frequent first; at most 100 ways. */
  countCalls(scope: AuditScope): Promise<CallCount[]>;
  /** What the bot's documents were asked. */
  countKnowledge(scope: AuditScope): Promise<KnowledgeUse>;
  countUnanswered(kind: UnansweredKind, scope: AuditScope): Promise<number>;
  /** At most `limit` of those whose text was kept, latest first. */
  listUnanswered(kind: UnansweredKind, scope: AuditScope, limit: number): Promise<UnansweredMessage[]>;
  /** At most `limit`, latest first. */
  listAnswered(scope: AuditScope, limit: number): Promise<AnsweredTurn[]>;
  countRatings(scope: AuditScope): Promise<RatingCounts>;
  /** At most `limit`, latest first. */
  listRated(scope: AuditScope, limit: number): Promise<RatedAnswer[]>;
  /**
   * What visitors have said whose text was kept, in so many conversations: those that began latest, from the one behind `before` on. The
   * latest message of a conversation stands first.
   */
  listSaid(bot: BotKey, conversations: number, before?: ConversationPlace): Promise<SaidPage>;
}

/** Where a conversation stands among those of its bot, by when they began. */
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
  /** The last of the conversations; undefined where there are no more. */
  last: ConversationPlace | undefined;
}
