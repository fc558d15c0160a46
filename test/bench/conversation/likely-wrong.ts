import type { BotDocument } from "../../../src/domain/bot.ts";
import type { ConversationId, RequestId } from "../../../src/domain/ids.ts";
import { findLikelyWrong, type WrongSign } from "../../../src/operate/likely-wrong.ts";
import type { RehearsedTurn } from "../../../src/operate/rehearsal.ts";
import type { AnsweredTurn } from "../../../src/store/interface/audit.ts";
import type { GradedTurn } from "./grade.ts";

/** A turn of a conversation, its reply and its grade. */
export interface JudgedTurn {
  said: string;
  reply: Pick<RehearsedTurn, "answer" | "receipt">;
  graded: Pick<GradedTurn, "outcome">;
}

/** Counts of turns that the audit would list. */
export interface Listing {
  listed: number;
  wrong: number;
  /** Wrong turns that are listed. */
  found: number;
  /** For each sign, the number of turns with it, and how many of them are wrong. */
  signs: Readonly<Partial<Record<WrongSign["kind"], { turns: number; wrong: number }>>>;
}

/** For each turn of a conversation, in order, why the audit lists it as likely wrong, if it does. There are no votes here. */
export function signsOf<Turn extends JudgedTurn>(
  conversation: readonly Turn[],
  bot: Pick<BotDocument, "intents">,
): ReadonlyMap<Turn, readonly WrongSign[]> {
  const turns = new Map(conversation.map((turn, place) => [storedTurn(conversation, place), turn]));
  const byId = new Map([...turns].map(([stored, turn]) => [stored.requestId, turn]));
  return new Map(
    findLikelyWrong([...turns.keys()], bot).map(({ requestId, signs }) => [byId.get(requestId)!, signs]),
  );
}

/** The turn as a store would return it; the conversation's turns follow each other without a pause. */
function storedTurn(conversation: readonly JudgedTurn[], place: number): AnsweredTurn {
  const { said, reply } = conversation[place]!;
  const next = conversation[place + 1];
  const { intentDetected = null, response, metadata } = reply.answer;
  return {
    requestId: `rq_${place}` as RequestId,
    conversationId: "cv_1" as ConversationId,
    at: place,
    input: said,
    response,
    intent: intentDetected as AnsweredTurn["intent"],
    decision: metadata.enforcementReason ?? "allowed",
    receipt: reply.receipt,
    rating: null,
    why: null,
    before: conversation[place - 1]?.said ?? null,
    next: next
      ? {
          at: place + 1,
          input: next.said,
          intent: (next.reply.answer.intentDetected ?? null) as AnsweredTurn["intent"],
        }
      : null,
    askedForPerson: false,
  };
}

/** Sums up turns and their signs. */
export function sumListing(
  turns: readonly { graded: JudgedTurn["graded"]; signs: readonly WrongSign[] | undefined }[],
): Listing {
  const isWrong = ({ graded }: (typeof turns)[number]) => graded.outcome === "wrong";
  const listed = turns.filter(({ signs }) => signs !== undefined);
  const signs: Record<string, { turns: number; wrong: number }> = {};
  for (const turn of listed) {
    for (const kind of new Set(turn.signs!.map((sign) => sign.kind))) {
      const count = (signs[kind] ??= { turns: 0, wrong: 0 });
      count.turns++;
      count.wrong += Number(isWrong(turn));
    }
  }
  return {
    listed: listed.length,
    wrong: turns.filter(isWrong).length,
    found: listed.filter(isWrong).length,
    signs,
  };
}
