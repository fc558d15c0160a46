import type { Step } from "../../action/dialogue.ts";
import type { ActionMemory } from "../../domain/action.ts";
import type { ConversationHistory } from "../../domain/conversation.ts";
import type { IntentAssistance } from "../../domain/decision.ts";
import type { EpochMs } from "../../domain/time.ts";
import type { Message, TurnOpening } from "../message.ts";
import type { DecidedTurn } from "./decide-turn.ts";
import type { UnderstoodMessage } from "./use-encoder.ts";

/** A message that was judged and decided. */
export interface DecidedMessage extends UnderstoodMessage, DecidedTurn {
  message: Message;
  conversation: ConversationHistory;
  at: EpochMs;
  /** The plan for an action; absent if the bot has none. */
  action?: ActionPlan;
  /** Results of model servers. */
  assistance?: IntentAssistance;
  /** The message as a question rewritten by a model. */
  standalone?: string;
  stopwatch: Stopwatch;
}

/** The data of a turn that are sent as soon as it is decided. */
export function openingOf({ conversation, decision }: DecidedMessage): TurnOpening {
  return {
    conversationId: conversation.id,
    ...(decision.intent !== undefined && { intentDetected: decision.intent }),
    capabilityAllowed: decision.kind === "allowed",
  };
}

/** The steps of a turn for an action. */
export interface ActionPlan {
  step: Step;
  /** The state before this turn. */
  before: ActionMemory | undefined;
  /** The joined values are denied, so no slot was filled. */
  isDenied?: true;
}

/** Whether an endpoint will be called; the turn must then be stored and counted first. Pure. */
export function callsEndpoint(plan: ActionPlan | undefined): boolean {
  return plan?.step.kind === "call";
}

/** Whether the action alone answers the message. Pure. */
export function speaksForItself({ action }: { action?: ActionPlan }): boolean {
  const { step } = action ?? {};
  if (step === undefined || step.kind === "none" || step.kind === "aside") return false;
  return step.kind !== "end" || step.why === "cancelled";
}

/** Times the stages of a turn. */
export class Stopwatch {
  /** Milliseconds per stage, to the microsecond. */
  readonly lapsMs: Record<string, number> = {};
  #lapStartedAt = performance.now();

  /** Ends a stage; the next one starts. */
  lap(stage: string): void {
    const now = performance.now();
    this.lapsMs[stage] = Math.round((now - this.#lapStartedAt) * 1000) / 1000;
    this.#lapStartedAt = now;
  }
}
