import type { Logger } from "pino";

import type { WeighedMessage } from "../../bots/judging-thread.ts";
import { understand } from "../../bots/understanding.ts";
import type { PastTurn } from "../../domain/conversation.ts";
import type { DecisionReceipt } from "../../domain/decision.ts";
import type { SaidBefore } from "../../governance/follow-up/follow-up.ts";
import { EncoderBusyError, type EncoderThread } from "../../intent/classifier.ts";
import { isDataAlone } from "../../text/given-data.ts";
import type { Message } from "../message.ts";

/** The parts that encoding a message uses. */
export interface UnderstandParts {
  encoder: Pick<EncoderThread, "encode">;
  log: Pick<Logger, "warn">;
}

/** A judged message, and whether it was encoded; absent if that was not needed. */
export interface UnderstoodMessage {
  judged: WeighedMessage;
  understanding?: NonNullable<DecisionReceipt["understanding"]>;
}

/**
 * Judges messages again with the encoder if the classifier is unsure. If the encoder fails, its queue is full, the bot's examples are not
 * encoded yet, or there is no encoder, the message is decided by words, and the receipt records it; the metric counts full queues.
 */
export async function understandMessage(
  { encoder, log }: UnderstandParts,
  { bot, requestId }: Message,
  judged: WeighedMessage,
  before?: SaidBefore,
): Promise<UnderstoodMessage> {
  const { classifier, policy } = bot;
  const sentences = await bot.findSentences();
  if (typeof sentences === "string") return { judged, understanding: sentences };
  const understanding = { classifier, policy, sentences, hasDocuments: bot.knowledge.isThere() };
  try {
    const understood = await understand(understanding, judged, before, (input) => encoder.encode(input));
    return { judged: understood.judged, ...(understood.isEncoded && { understanding: "used" }) };
  } catch (error) {
    if (error instanceof EncoderBusyError) return { judged, understanding: "overloaded" };
    log.warn({ requestId, err: error }, "a message was not encoded; it is decided without");
    return { judged, understanding: "unavailable" };
  }
}

/** A reply to an action that consists of data only has no meaning to encode, and encoding would take most of the turn's time. */
export function isPlainReply(input: string, turns: readonly PastTurn[]): boolean {
  return turns.at(-1)?.action?.open !== undefined && isDataAlone(input);
}
