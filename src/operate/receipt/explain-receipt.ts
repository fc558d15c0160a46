import { isTextKept } from "../../domain/conversation.ts";
import type { ReceiptView } from "../../domain/operator/conversations.ts";
import { isPassedOn } from "../../domain/transcript.ts";
import { type ExplainBy, type ExplainStore, explainTurn } from "../explain.ts";
import { receiptViewOf } from "./receipt-view.ts";

/**
 * The receipt of a stored turn, as it is drawn. Where the message was kept, it is decided again for the reasons; where it was not, or a person got it, the
 * receipt alone tells.
 *
 * @returns undefined where no turn has this request id, or its bot has been deleted
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
  const { reasons, passages, agrees, isContextGone } = explanation;
  return receiptViewOf({ ...turn, document, reasons, passages, ...(!isContextGone && { agrees }) });
}
