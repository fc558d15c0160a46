import type { Webhooks } from "../../config/webhooks.ts";
import { isTextKept } from "../../domain/conversation.ts";
import { CLOSE_FROM, type DecisionReceipt } from "../../domain/decision.ts";
import type { DueDelivery, TurnEvent } from "../../domain/delivery.ts";
import type { HandoffEvent } from "../../domain/handoff.ts";
import type { ConversationId } from "../../domain/ids.ts";
import { type TranscriptEntry, transcriptOf } from "../../domain/transcript.ts";
import type {
  ActionNotice,
  CapNotice,
  FeedbackNotice,
  HandoffNotice,
  Notice,
  Said,
  TurnNotice,
} from "../../notify/notice.ts";
import type { StoredBot } from "../../store/interface/bots.ts";
import type { StoredTurn } from "../../store/interface/conversations.ts";
import type { Bots, Conversations, Handoffs, Ratings, Usage } from "../../store/interface/store.ts";

/** The parts that composing a notice uses. */
export interface ComposeParts {
  store: {
    bots: Pick<Bots, "find">;
    conversations: Pick<Conversations, "findTurnByRequest" | "listTurns">;
    handoffs: Pick<Handoffs, "find" | "historyOf">;
    feedback: Pick<Ratings, "listOf">;
    usage: Pick<Usage, "read">;
  };
  webhooks: Webhooks;
  /** URL of the console, if configured. */
  operatorUrl: string | undefined;
}

/** Composes the notice of a delivery from current data, so that nothing erased is sent. @returns undefined if its subject is gone. */
export async function composeNotice(parts: ComposeParts, delivery: DueDelivery): Promise<Notice | undefined> {
  const bot = await parts.store.bots.find(delivery.botId);
  if (!bot) return undefined;
  const { event, conversationId } = delivery;
  if (event === "cap.near") return capNotice(parts, delivery, bot);
  if (conversationId === undefined) return undefined;
  const told = { botId: bot.id, botName: bot.document.name, conversationId };
  if (event === "handoff.requested") return handoffNotice(parts, delivery, told);
  if (event === "feedback.given") return feedbackNotice(parts, delivery, told);
  return noticeOfTurn(parts, event, delivery, told);
}

interface Told {
  botId: string;
  botName: string;
  conversationId: ConversationId;
}

async function handoffNotice(
  { store, operatorUrl }: ComposeParts,
  { subject, createdAt: toldAt }: DueDelivery,
  told: Told,
): Promise<HandoffNotice | undefined> {
  const handoff = await store.handoffs.find(subject);
  if (!handoff) return undefined;
  const { fields, sharesTranscript, createdAt } = handoff;
  const isUpdate = toldAt > createdAt;
  return {
    type: "handoff.requested",
    timestamp: new Date(isUpdate ? toldAt : createdAt).toISOString(),
    data: {
      ...told,
      handoffId: subject,
      ...(isUpdate && { isUpdate }),
      ...(operatorUrl !== undefined && { link: consoleLink(operatorUrl, "handoffs", subject) }),
      fields,
      ...(sharesTranscript && { transcript: await toldTranscript(store, told.conversationId) }),
    },
  };
}

async function toldTranscript(
  { conversations, handoffs }: ComposeParts["store"],
  conversationId: ConversationId,
): Promise<Said[]> {
  const turns = await conversations.listTurns(conversationId);
  const { events } = await handoffs.historyOf(conversationId);
  return transcriptOf({ turns, handoffs: [], events }).flatMap(saidOf);
}

/** Texts that are not stored are left out. */
function saidOf(entry: TranscriptEntry<StoredTurn, never>): Said[] {
  if (entry.kind === "handoff") return [];
  if (entry.kind === "event") return [saidWithPerson(entry.event)];
  const { input, response } = entry.turn;
  const at = new Date(entry.turn.at).toISOString();
  if (entry.kind === "turn") return isTextKept(entry.turn) ? [{ at, input, response }] : [];
  return entry.input === undefined ? [] : [{ at, input: entry.input }];
}

function saidWithPerson({ at, kind, name, text }: HandoffEvent): Said {
  const when = new Date(at).toISOString();
  if (kind === "visitor") return { at: when, input: text };
  if (kind === "operator") return { at: when, operator: name ?? "", response: text };
  return { at: when, ...(name !== undefined && { operator: name }), state: text };
}

async function feedbackNotice(
  { store: { feedback } }: ComposeParts,
  { subject }: DueDelivery,
  told: Told,
): Promise<FeedbackNotice | undefined> {
  const given = await feedback.listOf(told.conversationId);
  const rated = given.find(({ requestId }) => requestId === subject);
  if (!rated) return undefined;
  const { requestId, rating, reason, at } = rated;
  return {
    type: "feedback.given",
    timestamp: new Date(at).toISOString(),
    data: { ...told, requestId, rating, ...(reason !== undefined && { reason }) },
  };
}

async function noticeOfTurn(
  { store, webhooks, operatorUrl }: ComposeParts,
  type: TurnEvent,
  { subject, target }: DueDelivery,
  told: Told,
): Promise<TurnNotice | ActionNotice | undefined> {
  const turn = await store.conversations.findTurnByRequest(subject);
  if (type === "action.done" || type === "action.failed")
    return turn && actionNotice({ type, turn, told, operatorUrl });
  const hasText = webhooks[target]?.texts ?? false;
  return turn && turnNotice({ type, turn, told, hasText, operatorUrl });
}

/** Month and cap are those of the event; the messages are the current number. */
async function capNotice(
  { store }: ComposeParts,
  { subject, createdAt }: DueDelivery,
  { key, id, document }: Pick<StoredBot, "key" | "id" | "document">,
): Promise<CapNotice> {
  const [month, cap] = subject.split("/") as [string, string];
  const messages = await store.usage.read(key, Date.parse(`${month}-01T00:00:00Z`));
  return {
    type: "cap.near",
    timestamp: new Date(createdAt).toISOString(),
    data: { botId: id, botName: document.name, month, messages, cap: Number(cap) },
  };
}

interface ToldTurn<Type> {
  type: Type;
  turn: StoredTurn;
  told: Omit<Told, "conversationId"> & { conversationId: string };
  operatorUrl: string | undefined;
}

/** What notices of turns share. */
function aboutTurn({ turn, told, operatorUrl }: ToldTurn<unknown>) {
  const link = operatorUrl && consoleLink(operatorUrl, "conversations", told.conversationId);
  const at = new Date(turn.at).toISOString();
  return { ...told, requestId: turn.requestId, at, ...(link !== undefined && { link }) };
}

/** The notice of an action; undefined if the turn called no endpoint. Pure. */
function actionNotice(tell: ToldTurn<ActionNotice["type"]>): ActionNotice | undefined {
  const { intent, state, call } = tell.turn.receipt.action ?? {};
  if (intent === undefined || call === undefined) return undefined;
  const { id: actionId, endpoint, method, status, milliseconds, fault } = call;
  const about = aboutTurn(tell);
  return {
    type: tell.type,
    timestamp: about.at,
    data: {
      ...about,
      intent,
      actionId,
      endpoint,
      method,
      ...(status !== undefined && { status }),
      milliseconds,
      ...(state === "unsure" && { isUnsure: true }),
      ...(fault && { fault }),
    },
  };
}

/** The notice of a turn; undefined if it was not restricted. Pure. @param hasText the webhook receives the visitor's text. */
export function turnNotice(
  tell: ToldTurn<TurnNotice["type"]> & { hasText: boolean },
): TurnNotice | undefined {
  const { type, turn, hasText } = tell;
  const { enforcementReason: reason } = turn.metadata;
  if (reason === undefined) return undefined;
  const { rule, deniedBy } = turn.receipt;
  const about = aboutTurn(tell);
  return {
    type,
    timestamp: about.at,
    data: {
      ...about,
      reason,
      rule,
      ...(deniedBy && { deniedBy }),
      ...intentOf(turn),
      ...(hasText && isTextKept(turn) && { input: turn.input }),
    },
  };
}

/** URL of a page of the console. Pure. */
function consoleLink(operatorUrl: string, page: "conversations" | "handoffs", id: string): string {
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
