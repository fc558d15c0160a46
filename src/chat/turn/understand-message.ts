import type { Logger } from "pino";

import { inLightOf, sentenceToEncode } from "../../bots/understanding.ts";
import type { DecisionReceipt } from "../../domain/decision.ts";
import type { JudgedMessage } from "../../governance/judged-message.ts";
import type { EncoderThread } from "../../intent/classifier.ts";
import type { Message } from "../message.ts";

/** The parts that understanding uses. */
export interface UnderstandParts {
  encoder: Pick<EncoderThread, "encode">;
  log: Pick<Logger, "warn">;
}

/** A judged message, and whether it was encoded; absent where that would have gained nothing. */
export interface UnderstoodMessage {
  judged: JudgedMessage;
  understanding?: NonNullable<DecisionReceipt["understanding"]>;
}

/**
 * Judges again what the classifier is unsure of, with what the message means. Where the encoder fails, the message goes on without, and the
 * receipt says so.
 */
export async function understandMessage(
  { encoder, log }: UnderstandParts,
  { bot, requestId }: Message,
  judged: JudgedMessage,
): Promise<UnderstoodMessage> {
  const read = sentenceToEncode(bot, judged);
  if (read === undefined) return { judged };
  const sentence = await encoder.encode(read).catch((error: unknown) => {
    log.warn({ requestId, err: error }, "a message was not encoded; it is decided without");
    return "unavailable" as const;
  });
  if (sentence === "unavailable") return { judged, understanding: sentence };
  return { judged: inLightOf(bot, judged, sentence), ...(sentence && { understanding: "used" }) };
}
