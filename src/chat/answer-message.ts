import type { RunningAnswers } from "./idempotency/running-answers.ts";
import type { Answered, Listener, Message } from "./message.ts";
import { answerTurn, type TurnParts } from "./turn/answer-turn.ts";

/** The parts that `answerMessage` uses. */
export interface AnswerParts extends TurnParts {
  runningAnswers: Pick<RunningAnswers, "answerOnce">;
}

/**
 * Answers an admitted message; a message with an idempotency key is answered once. The answer is on disk when the promise
 * resolves.
 *
 * @throws ServiceError as `answerTurn` does, and INVALID_REQUEST with status 422 when the key was used for another message.
 */
export async function answerMessage(
  parts: AnswerParts,
  message: Message,
  listener: Listener,
): Promise<Answered> {
  const { idempotencyKey, requestId } = message;
  if (!idempotencyKey) return { requestId, response: await answerTurn(parts, message, listener) };
  return parts.runningAnswers.answerOnce(idempotencyKey, listener.left, async (nobodyWaits, retried) => ({
    requestId,
    response: await answerTurn(parts, { ...message, ...retried }, { ...listener, left: nobodyWaits }),
  }));
}
