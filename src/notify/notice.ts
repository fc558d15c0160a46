import type { Feedback } from "../domain/feedback.ts";
import type { HandoffFields } from "../domain/handoff.ts";

interface Told {
  botId: string;
  botName: string;
  conversationId: string;
}

/** A message and its answer. */
interface SaidTurn {
  at: string;
  input: string;
  response: string;
}

/** A visitor asks for a person. */
export interface HandoffNotice {
  type: "handoff.requested";
  /** When it happened, in ISO 8601, as every instant here. */
  timestamp: string;
  data: Told & {
    handoffId: string;
    fields: HandoffFields;
    /** Only where the visitor agreed; what is not stored is left out. */
    transcript?: readonly SaidTurn[];
  };
}

/** A visitor rated an answer. */
export interface FeedbackNotice {
  type: "feedback.given";
  timestamp: string;
  data: Told & Feedback & { requestId: string };
}

/** What a team is told, as a webhook's body has it. */
export type Notice = HandoffNotice | FeedbackNotice;
