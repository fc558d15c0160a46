import type { Logger } from "pino";

import type { WeighedMessage } from "../../bots/judging-thread.ts";
import { understand } from "../../bots/understanding.ts";
import type { DecisionReceipt } from "../../domain/decision.ts";
import type { SaidBefore } from "../../governance/follow-up/follow-up.ts";
import { EncoderBusyError, type EncoderThread } from "../../intent/classifier.ts";
import type { Message } from "../message.ts";

/** The parts that understanding uses. */
export interface UnderstandParts {
  encoder: Pick<EncoderThread, "encode">;
  log: Pick<Logger, "warn">;
}

/** A judged message, and whether it was encoded; absent where that would have gained nothing. */
export interface UnderstoodMessage {
  judged: WeighedMessage;
  understanding?: NonNullable<DecisionReceipt["understanding"]>;
}

/**
 * Judges again what the classifier is unsure of, with what the message means. Where the encoder fails, too many texts wait for it, it has yet
 * to read the bot's examples, or there is none, the message goes on without, and the receipt says so; the metric counts what had to wait too long.
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
