import type { CallFault } from "../domain/action.ts";
import type { EnforcementReason } from "../domain/chat.ts";
import type { DeniedBy, DecisionRule } from "../domain/decision.ts";
import type { TurnEvent } from "../domain/delivery.ts";
import type { Feedback } from "../domain/feedback.ts";
import type { HandoffFields } from "../domain/handoff.ts";

interface ToldOfBot {
  botId: string;
  botName: string;
}

interface Told extends ToldOfBot {
  conversationId: string;
}

/** An entry of a conversation, in order. */
export type Said =
  /** A message and its answer. */
  | { at: string; input: string; response: string }
  /** A message that a person got: no bot answered it. */
  | { at: string; input: string }
  /** An operator's message. */
  | { at: string; operator: string; response: string }
  /** `live`: the person has come; `open`, `closed`: nobody is there any more. */
  | { at: string; operator?: string; state: string };

/** A visitor asks for a person. */
export interface HandoffNotice {
  type: "handoff.requested";
  /** When it happened, in ISO 8601, as every instant here. */
  timestamp: string;
  data: Told & {
    handoffId: string;
    /** Its visitor has completed it: `fields` are all that it holds now. */
    isUpdate?: true;
    /** The hand-off in the console, where its address is known. */
    link?: string;
    fields: HandoffFields;
    /** Only where the visitor agreed; what is not stored is left out. */
    transcript?: readonly Said[];
  };
}

/** A visitor rated an answer. */
export interface FeedbackNotice {
  type: "feedback.given";
  timestamp: string;
  data: Told & Feedback & { requestId: string };
}

/** The profile refused a message, or it matched nothing. */
export interface TurnNotice {
  type: Exclude<TurnEvent, ActionEvent>;
  timestamp: string;
  data: Told & {
    requestId: string;
    at: string;
    reason: EnforcementReason;
    rule: DecisionRule;
    /** The term or pattern of the profile that the message met. */
    deniedBy?: DeniedBy;
    intentDetected?: string;
    /** Where nothing matched: what came closest, if anything did. */
    closestIntent?: string;
    /** Chance, 0–1, that the intent named here is the right one. */
    confidence?: number;
    /** The conversation in the console, where its address is known. */
    link?: string;
    /** Only where the webhook's `texts` says so, and texts are stored. */
    input?: string;
  };
}

type ActionEvent = "action.done" | "action.failed";

/** An action called its endpoint, or could not; no value of the visitor. */
export interface ActionNotice {
  type: ActionEvent;
  timestamp: string;
  data: Told & {
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
    /** Of one that was not done; nobody knows whether it was, where this is true. */
    isUnsure?: true;
    fault?: CallFault;
    /** The conversation in the console, where its address is known. */
    link?: string;
  };
}

/** A bot's messages of a month are nearly used up. */
export interface CapNotice {
  type: "cap.near";
  timestamp: string;
  data: ToldOfBot & {
    /** UTC, as `2026-11`. */
    month: string;
    /** Counted by the time of the notice. */
    messages: number;
    cap: number;
  };
}

/** Nothing has happened: `parley webhook test` asks whether the receiver takes it. */
export interface TestNotice {
  type: "webhook.test";
  timestamp: string;
  data: { webhook: string };
}

/** A notice in the form of a webhook's body. */
export type Notice = HandoffNotice | FeedbackNotice | TurnNotice | ActionNotice | CapNotice;
