import type { ActionMemory } from "./action.ts";
import type { ChatMetadata, EnforcementReason, Suggestion } from "./chat.ts";
import type { DecisionReceipt } from "./decision.ts";
import type { ConversationId, IntentName, RequestId } from "./ids.ts";
import type { Subject } from "./subject.ts";
import type { EpochMs } from "./time.ts";

/** `cut`: the visitor left while the answer was on its way. `unanswered`: the service failed before there was one. */
export type TurnState = "complete" | "unanswered" | "cut";

/** The outcome of a turn: an answer, or the reason of its restriction or replacement. */
export type TurnOutcome = "allowed" | EnforcementReason;

/** A visitor's message with its answer. */
export interface Turn {
  requestId: RequestId;
  at: EpochMs;
  botVersion: number;
  state: TurnState;
  input: string;
  /** The message as a model rewrote it into a question that needs no context; absent if none did, or texts are not stored. */
  standalone?: string;
  response: string;
  intent?: IntentName;
  metadata: ChatMetadata;
  /** Which of the intent's responses was used, from 0. */
  responseIndex?: number;
  /** Its subject; absent if nothing was answered, or texts are not stored. */
  subject?: Subject;
  /** The action's state after this turn; absent if there is none, or texts are not stored. */
  action?: ActionMemory;
  receipt: DecisionReceipt;
}

/** Whether the turn's texts are stored. If not (`--store-messages none`), the message is empty, which no real message is. */
export function isTextKept({ input }: Pick<Turn, "input">): boolean {
  return input !== "";
}

/** Facts about an earlier turn that a new one needs. */
export type PastTurn = Pick<
  Turn,
  "requestId" | "at" | "state" | "input" | "response" | "intent" | "responseIndex" | "subject" | "action"
> & {
  capabilityAllowed: boolean;
  /** The message went to an operator, and the bot did not answer. */
  isToPerson?: true;
  /** The intents that it asked about; see `DecisionReceipt`. */
  suggestions?: readonly Suggestion[];
};

/** The social turns that offer intents though they have one themselves. */
const OFFER_INTENTS: ReadonlySet<string> = new Set(["social.help", "social.repair"]);

/** Facts about this turn that the next one needs. */
export function pastTurnOf(turn: Turn): PastTurn {
  const { requestId, at, state, input, response, intent, responseIndex, subject, action, metadata, receipt } =
    turn;
  const asked = intent === undefined || OFFER_INTENTS.has(intent) ? receipt.suggestions : undefined;
  return {
    requestId,
    at,
    state,
    input,
    response,
    capabilityAllowed: metadata.capabilityAllowed,
    ...(intent !== undefined && { intent }),
    ...(responseIndex !== undefined && { responseIndex }),
    ...(subject && { subject }),
    ...(action && { action }),
    ...isToPersonOf(receipt),
    ...(asked && { suggestions: asked }),
  };
}

export const isToPersonOf = ({ rule }: Pick<DecisionReceipt, "rule">): Pick<PastTurn, "isToPerson"> =>
  rule === "handed-over" ? { isToPerson: true } : {};

/** A conversation and its latest turns, oldest first. */
export interface ConversationHistory {
  id: ConversationId;
  /** Until when the bot is silent because an operator has taken over; absent if none has. */
  liveUntil?: EpochMs;
  /** When a person was last asked for, came or went; absent if none was ever asked for. */
  handoffAt?: EpochMs;
  turns: readonly PastTurn[];
}

/** How many of a conversation's latest turns are loaded with it. */
export const HISTORY_TURNS = 20;
