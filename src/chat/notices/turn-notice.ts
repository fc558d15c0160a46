import { isTextKept } from "../../domain/conversation.ts";
import { CLOSE_FROM, type DecisionReceipt } from "../../domain/decision.ts";
import type { TurnNotice } from "../../notify/notice.ts";
import type { StoredTurn } from "../../store/interface/conversations.ts";

interface ToldTurn {
  type: TurnNotice["type"];
  turn: StoredTurn;
  told: { botId: string; botName: string; conversationId: string };
  /** The webhook receives the visitor's text. */
  hasText: boolean;
  operatorUrl: string | undefined;
}

/** The notice of a turn; undefined if it was not restricted. Pure. */
export function turnNotice({ type, turn, told, hasText, operatorUrl }: ToldTurn): TurnNotice | undefined {
  const { requestId, metadata, receipt } = turn;
  const { enforcementReason: reason } = metadata;
  if (reason === undefined) return undefined;
  const { rule, deniedBy } = receipt;
  const at = new Date(turn.at).toISOString();
  return {
    type,
    timestamp: at,
    data: {
      ...told,
      requestId,
      at,
      reason,
      rule,
      ...(deniedBy && { deniedBy }),
      ...intentOf(turn),
      ...(operatorUrl !== undefined && {
        link: consoleLink(operatorUrl, "conversations", told.conversationId),
      }),
      ...(hasText && isTextKept(turn) && { input: turn.input }),
    },
  };
}

/** URL of a page of the console. Pure. */
export function consoleLink(operatorUrl: string, page: "conversations" | "handoffs", id: string): string {
  return `${operatorUrl.replace(/\/+$/, "")}/${page}/${encodeURIComponent(id)}`;
}

type ToldIntent = Pick<TurnNotice["data"], "intentDetected" | "closestIntent" | "confidence">;

function intentOf({ intent, receipt }: StoredTurn): ToldIntent {
  if (intent === undefined) return closestOf(receipt);
  const scores = receipt.readings.flatMap((reading) =>
    reading.scores.filter((score) => score.intent === intent),
  );
  if (scores.length === 0) return { intentDetected: intent };
  return { intentDetected: intent, confidence: Math.max(...scores.map(({ confidence }) => confidence)) };
}

/** The closest intent as the console names it. */
function closestOf({ readings, deniedBy }: DecisionReceipt): ToldIntent {
  const closest = readings[0]?.scores[0];
  if (!closest || deniedBy || closest.confidence < CLOSE_FROM) return {};
  return { closestIntent: closest.intent, confidence: closest.confidence };
}
