import type { Acted, ActParts } from "./acted.ts";
import { speaksForItself } from "./action-plan.ts";
import { type Answer, freeAnswer, type Reply, validAnswer } from "./answer.ts";
import type { DecidedMessage } from "./decided-message.ts";
import { performAction } from "./perform-action.ts";
import { respond, type Responding, type RespondParts } from "./respond.ts";

/** The parts that answering or acting uses. */
export interface RespondOrActParts extends RespondParts, ActParts {}

/** What is said, and what was done for an action. */
export type ActingReply = Reply & { acted?: Acted };

/**
 * Answers a turn, or does what its action is to do. Where something else is answered in between, what was asked is asked again behind it.
 *
 * @throws ServiceError MODEL_ERROR | MODEL_TIMEOUT | STORAGE_UNAVAILABLE
 */
export async function respondOrAct(
  parts: RespondOrActParts,
  decided: DecidedMessage,
  responding: Responding,
): Promise<ActingReply> {
  const { action } = decided;
  if (action === undefined) return respond(parts, decided, responding);
  const acted = await performAction(parts, { ...decided, action });
  if (!speaksForItself(decided)) {
    const reply = await respond(parts, decided, responding);
    return { ...withQuestion(reply, acted.text, responding), acted };
  }
  const answer = acted.satisfiesSchema ? validAnswer(acted.text) : freeAnswer(acted.text);
  responding.follower?.said(answer.response);
  return { state: "complete", answer, acted };
}

/** Where a schema judges an answer, nothing is put behind it. */
function withQuestion(reply: Reply, question: string, { follower }: Responding): Reply {
  if (question === "" || reply.state !== "complete" || reply.answer.metadata.schemaEnforced) return reply;
  const behind = `\n\n${question}`;
  follower?.said(behind);
  const answer: Answer = { ...reply.answer, response: reply.answer.response + behind };
  return { ...reply, answer };
}
