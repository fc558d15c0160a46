import type { Logger } from "pino";

import type { WeighedMessage } from "../../bots/judging-thread.ts";
import { understand } from "../../bots/understanding.ts";
import { NotEncodedError, type Vectors } from "../../bots/vectors.ts";
import type { PastTurn } from "../../domain/conversation.ts";
import type { DecisionReceipt, Encoding } from "../../domain/decision.ts";
import type { RequestId } from "../../domain/ids.ts";
import type { SaidBefore } from "../../governance/follow-up/follow-up.ts";
import { EncoderBusyError, type EncoderThread } from "../../intent/classifier.ts";
import { isDataAlone } from "../../text/given-data.ts";
import type { Message } from "../message.ts";

/** The parts that use the encoder. */
export interface EncoderParts {
  encoder: Pick<EncoderThread, "encode">;
  vectors: Vectors;
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
  { encoder, log }: Pick<EncoderParts, "encoder" | "log">,
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
    const reason = whyNot(error);
    if (reason === "unavailable")
      log.warn({ requestId, err: error }, "a message was not encoded; it is decided without");
    return { judged, understanding: reason };
  }
}

/** A reply to an action that consists of data only has no meaning to encode, and encoding would take most of the turn's time. */
export function isPlainReply(input: string, turns: readonly PastTurn[]): boolean {
  return turns.at(-1)?.action?.open !== undefined && isDataAlone(input);
}

/** Logs that a message is answered without the encoder. */
export function warnOfMeaning(
  { log }: Pick<EncoderParts, "log">,
  requestId: RequestId,
): (error: unknown) => void {
  return (error) =>
    log.warn({ requestId, err: error }, "what a message means was not weighed; documents are found by words");
}

/** The result of a search, and whether the encoder was used; absent if words alone suffice. */
export interface Weighed<Found> {
  found: Found;
  meaning?: Encoding;
}

/**
 * Searches with the encoder. If that fails, searches again by words alone, so that the result can be reproduced.
 *
 * @param vectors absent: by words alone.
 * @param onFailure called if the encoder fails, but not if its queue is full, which the metric counts, or the texts are not encoded yet.
 */
export async function withMeaning<Found>(
  vectors: Vectors | undefined,
  onFailure: (error: unknown) => void,
  lookUp: (vectors?: Vectors) => Promise<Found>,
): Promise<Weighed<Found>> {
  if (vectors === undefined) return { found: await lookUp() };
  const seen = { isUsed: false, failures: [] as unknown[] };
  const found = await lookUp({
    async ofPassages(...asked) {
      try {
        const vectorsOf = await vectors.ofPassages(...asked);
        seen.isUsed ||= vectorsOf.size > 0;
        return vectorsOf;
      } catch (error) {
        seen.failures.push(error);
        return new Map();
      }
    },
  });
  if (seen.failures.length === 0) return { found, ...(seen.isUsed && { meaning: "used" }) };
  const [error] = seen.failures;
  const meaning = whyNot(error);
  if (meaning === "unavailable") onFailure(error);
  return { found: await lookUp(), meaning };
}

function whyNot(error: unknown): Encoding {
  if (error instanceof NotEncodedError) return error.reason;
  return error instanceof EncoderBusyError ? "overloaded" : "unavailable";
}
