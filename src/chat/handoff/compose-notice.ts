import { isTextKept } from "../../domain/conversation.ts";
import type { DueDelivery } from "../../domain/delivery.ts";
import type { Notice } from "../../notify/notice.ts";
import type { Bots } from "../../store/interface/bots.ts";
import type { Conversations } from "../../store/interface/conversations.ts";
import type { FeedbackStore, HandoffStore } from "../../store/interface/handoffs.ts";

/** Where what is told is read. */
export interface ComposeStore {
  bots: Pick<Bots, "find">;
  conversations: Pick<Conversations, "listTurns">;
  handoffs: Pick<HandoffStore, "find">;
  feedback: Pick<FeedbackStore, "listOf">;
}

/** What a delivery tells, read when it is told: what was erased meanwhile is told to nobody. @returns undefined where it is gone. */
export async function composeNotice(store: ComposeStore, delivery: DueDelivery): Promise<Notice | undefined> {
  const bot = await store.bots.find(delivery.botId);
  if (!bot) return undefined;
  const { botId, conversationId } = delivery;
  const told = { botId, botName: bot.document.name, conversationId };
  return delivery.event === "handoff.requested"
    ? handoffNotice(store, delivery, told)
    : feedbackNotice(store, delivery, told);
}

type Told = Pick<Notice["data"], "botId" | "botName" | "conversationId">;

async function handoffNotice(
  store: ComposeStore,
  { event, subject, conversationId }: DueDelivery,
  told: Told,
): Promise<Notice | undefined> {
  const handoff = await store.handoffs.find(subject);
  if (!handoff || event !== "handoff.requested") return undefined;
  const { fields, sharesTranscript, createdAt } = handoff;
  const turns = sharesTranscript ? await store.conversations.listTurns(conversationId) : [];
  const transcript = turns
    .filter((turn) => isTextKept(turn))
    .map(({ at, input, response }) => ({ at: new Date(at).toISOString(), input, response }));
  return {
    type: event,
    timestamp: new Date(createdAt).toISOString(),
    data: { ...told, handoffId: subject, fields, ...(sharesTranscript && { transcript }) },
  };
}

async function feedbackNotice(
  { feedback }: ComposeStore,
  { event, subject, conversationId }: DueDelivery,
  told: Told,
): Promise<Notice | undefined> {
  const rated = (await feedback.listOf(conversationId)).find(({ requestId }) => requestId === subject);
  if (!rated || event !== "feedback.given") return undefined;
  const { requestId, rating, reason, at } = rated;
  return {
    type: event,
    timestamp: new Date(at).toISOString(),
    data: { ...told, requestId, rating, ...(reason !== undefined && { reason }) },
  };
}
