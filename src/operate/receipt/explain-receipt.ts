import { isTextKept } from "../../domain/conversation.ts";
import type { ReceiptView } from "../../domain/operator/conversations.ts";
import { isPassedOn } from "../../domain/transcript.ts";
import { type ExplainBy, type ExplainStore, explainTurn } from "../explain.ts";
import { receiptViewOf } from "./receipt-view.ts";

/**
 * The receipt of a stored turn for display. If the message was stored, it is decided again to find the reasons; else, or if an operator got
 * it, only the receipt is used.
 *
 * @returns undefined if no turn has this request id, or its bot was deleted
 */
export async function explainReceipt(
  store: ExplainStore,
  requestId: string,
  by: ExplainBy,
): Promise<ReceiptView | undefined> {
  const turn = await store.conversations.findTurnByRequest(requestId);
  const bot = turn && (await store.bots.find(turn.botId));
  if (!turn || !bot) return undefined;
  const document = await store.bots.findVersion(bot.key, turn.botVersion);
  const isDecided = isTextKept(turn) && !isPassedOn(turn);
  const explanation = isDecided && document ? await explainTurn(store, requestId, by) : undefined;
  if (explanation === undefined) return receiptViewOf({ ...turn, document });
  const { reasons, passages, agrees, isContextGone, encoder } = explanation;
  const again = encoder ? { encoderGone: encoder.used ?? "an earlier one" } : isContextGone ? {} : { agrees };
  return receiptViewOf({ ...turn, document, reasons, passages, ...again });
}
