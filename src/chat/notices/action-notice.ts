import type { ActionNotice } from "../../notify/notice.ts";
import type { StoredTurn } from "../../store/interface/conversations.ts";
import { consoleLink } from "./turn-notice.ts";

interface ToldAction {
  type: ActionNotice["type"];
  turn: Pick<StoredTurn, "at" | "requestId" | "receipt">;
  told: { botId: string; botName: string; conversationId: string };
  operatorUrl: string | undefined;
}

/** What is told of an action; undefined where the turn called no endpoint. Pure. */
export function actionNotice({ type, turn, told, operatorUrl }: ToldAction): ActionNotice | undefined {
  const { intent, state, call } = turn.receipt.action ?? {};
  if (intent === undefined || call === undefined) return undefined;
  const { id: actionId, endpoint, method, status, milliseconds, fault } = call;
  const at = new Date(turn.at).toISOString();
  return {
    type,
    timestamp: at,
    data: {
      ...told,
      requestId: turn.requestId,
      at,
      intent,
      actionId,
      endpoint,
      method,
      ...(status !== undefined && { status }),
      milliseconds,
      ...(state === "unsure" && { isUnsure: true }),
      ...(fault && { fault }),
      ...(operatorUrl !== undefined && {
        link: consoleLink(operatorUrl, "conversations", told.conversationId),
      }),
    },
  };
}
