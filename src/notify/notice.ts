import type { CallFault } from "../domain/action.ts";
import type { EnforcementReason } from "../domain/chat.ts";
import type { DecisionRule, DeniedBy } from "../domain/decision.ts";
import type { TurnEvent } from "../domain/delivery.ts";
import type { Feedback } from "../domain/feedback.ts";
import type { HandoffFields } from "../domain/handoff.ts";

interface OfBot {
  botId: string;
  botName: string;
}

interface OfConversation extends OfBot {
  conversationId: string;
}

/** An entry of a conversation, in order. */
export type Said =
  /** A message and its answer. */
  | { at: string; input: string; response: string }
  /** A message that was forwarded to an operator, without an answer of the bot. */
  | { at: string; input: string }
  /** An operator's message. */
  | { at: string; operator: string; response: string }
  /** `live`: an operator has taken over; `open`, `closed`: no operator is there any more. */
  | { at: string; operator?: string; state: string };

/** A visitor asks for a person. */
export interface HandoffNotice {
  type: "handoff.requested";
  /** Time of the event in ISO 8601, like every instant here. */
  timestamp: string;
  data: OfConversation & {
    handoffId: string;
    /** The visitor has completed the hand-off: `fields` holds all of its current fields. */
    isUpdate?: true;
    /** Address of the hand-off in the console, if the console's address is configured. */
    link?: string;
    fields: HandoffFields;
    /** Only if the visitor agreed; texts that are not stored are left out. */
    transcript?: readonly Said[];
  };
}

/** A visitor rated an answer. */
export interface FeedbackNotice {
  type: "feedback.given";
  timestamp: string;
  data: OfConversation & Feedback & { requestId: string };
}

/** The profile refused a message, or it matched nothing. */
export interface TurnNotice {
  type: Exclude<TurnEvent, ActionEvent>;
  timestamp: string;
  data: OfConversation & {
    requestId: string;
    at: string;
    reason: EnforcementReason;
    rule: DecisionRule;
    /** The term or pattern of the profile that matched the message. */
    deniedBy?: DeniedBy;
    intentDetected?: string;
    /** If nothing matched: the closest intent, if there is one. */
    closestIntent?: string;
    /** Probability, 0–1, that the named intent is the right one. */
    confidence?: number;
    /** Address of the conversation in the console, if the console's address is configured. */
    link?: string;
    /** Only if the webhook's `texts` is set, and texts are stored. */
    input?: string;
  };
}

type ActionEvent = "action.done" | "action.failed";

/** An action called its endpoint, or failed to; contains no value of the visitor. */
export interface ActionNotice {
  type: ActionEvent;
  timestamp: string;
  data: OfConversation & {
    requestId: string;
    at: string;
    /** The action's intent. */
    intent: string;
    /** The action's id, which is its `Idempotency-Key`. */
    actionId: string;
    endpoint: string;
    method: string;
    status?: number;
    milliseconds: number;
    /** For a failed action: true if it is unknown whether it was done. */
    isUnsure?: true;
    fault?: CallFault;
    /** Address of the conversation in the console, if the console's address is configured. */
    link?: string;
  };
}

/** A bot's monthly message cap is nearly reached. */
export interface CapNotice {
  type: "cap.near";
  timestamp: string;
  data: OfBot & {
    /** UTC, such as `2026-11`. */
    month: string;
    /** The count at the time of the notice. */
    messages: number;
    cap: number;
  };
}

/** A test without an event: `parley webhook test` checks whether the receiver accepts it. */
export interface TestNotice {
  type: "webhook.test";
  timestamp: string;
  data: { webhook: string };
}

/** A notice in the form of a webhook's body. */
export type Notice = HandoffNotice | FeedbackNotice | TurnNotice | ActionNotice | CapNotice;
