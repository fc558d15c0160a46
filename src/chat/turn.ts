import type { ChatResponse } from "../domain/chat.ts";
import type { ConversationHistory, Turn } from "../domain/conversation.ts";
import { ServiceError } from "../domain/errors.ts";
import { type ConversationId, type RequestId, newConversationId } from "../domain/ids.ts";
import { type EpochMs, startOfNextMonth } from "../domain/time.ts";
import { decide } from "../governance/decide.ts";
import { judgeMessage } from "../governance/judge-message.ts";
import type { LoadedBot } from "../loaded-bot.ts";
import type { Runtime } from "../runtime.ts";
import type { IdempotencyKey } from "../store/idempotency.ts";
import { answerDecision } from "./answer.ts";
import { previousTurn } from "./previous-turn.ts";
import { receiptOf } from "./receipt.ts";
import { Stopwatch } from "./stopwatch.ts";

/** An admitted message. */
export interface Message {
  bot: LoadedBot;
  requestId: RequestId;
  input: string;
  conversationId?: string;
  idempotencyKey?: IdempotencyKey;
}

type TurnRuntime = Pick<
  Runtime,
  "now" | "randomBytes" | "store" | "lanes" | "metrics" | "conversationsNotBefore"
>;

/**
 * One turn: load → classify → decide → respond → enforce → record. Turns of one conversation run one after another, in
 * order of arrival. The answer is on disk when the promise resolves.
 *
 * @throws ServiceError MESSAGE_CAP_EXCEEDED | STORAGE_UNAVAILABLE; nothing is counted or stored then.
 */
export function answerTurn(runtime: TurnRuntime, message: Message): Promise<ChatResponse> {
  const freshId = newConversationId(runtime.now(), runtime.randomBytes);
  return runtime.lanes.run(message.conversationId ?? freshId, () => runTurn(runtime, message, freshId));
}

async function runTurn(
  runtime: TurnRuntime,
  message: Message,
  freshId: ConversationId,
): Promise<ChatResponse> {
  const { bot, input } = message;
  const stopwatch = new Stopwatch();
  const conversation = await loadConversation(runtime, message, freshId);
  stopwatch.lap("load");
  const judged = judgeMessage(input, bot.classifier, bot.policy);
  stopwatch.lap("classify");
  const decision = decide({ judged, policy: bot.policy, ...previousTurn(conversation.turns, runtime.now()) });
  stopwatch.lap("decide");
  const answer = answerDecision(bot, decision, conversation.turns);
  stopwatch.lap("respond");
  const turn: Turn = {
    requestId: message.requestId,
    at: runtime.now(),
    botVersion: bot.version,
    state: "complete",
    input,
    ...answer,
    ...(decision.intent !== undefined && { intent: decision.intent }),
    receipt: receiptOf(bot, judged, decision, stopwatch.lapsMs),
  };
  await recordTurn(runtime, message, conversation.id, turn);
  runtime.metrics.decisions.inc({ decision: turn.metadata.enforcementReason ?? "allowed" });
  return chatResponseOf(conversation.id, turn);
}

/** The wire shape of a turn, new or stored. */
export function chatResponseOf(conversationId: ConversationId, turn: Turn): ChatResponse {
  return {
    conversationId,
    response: turn.response,
    ...(turn.intent !== undefined && { intentDetected: turn.intent }),
    metadata: turn.metadata,
  };
}

/** An id that is unknown, expired or of another bot starts a new conversation (decisions §9). */
async function loadConversation(
  { store, conversationsNotBefore }: TurnRuntime,
  { bot, conversationId }: Message,
  freshId: ConversationId,
): Promise<ConversationHistory> {
  const found =
    conversationId === undefined
      ? undefined
      : await store.findConversation(conversationId, bot.key, conversationsNotBefore());
  return found ?? { id: freshId, turns: [] };
}

async function recordTurn(
  { store }: TurnRuntime,
  { bot, idempotencyKey }: Message,
  conversationId: ConversationId,
  turn: Turn,
): Promise<void> {
  const outcome = await store.recordTurn({
    bot: bot.key,
    conversationId,
    turn,
    ...(bot.document.monthlyMessageCap !== undefined && {
      monthlyMessageCap: bot.document.monthlyMessageCap,
    }),
    ...(idempotencyKey && { idempotencyKey }),
  });
  if (outcome === "cap_reached") throw capExceeded(turn.at);
}

function capExceeded(at: EpochMs): ServiceError {
  const reset = startOfNextMonth(at);
  return new ServiceError(
    "MESSAGE_CAP_EXCEEDED",
    `This bot has answered all the messages of this month; it answers again from ${new Date(reset).toISOString()}.`,
    { headers: { "Retry-After": String(Math.ceil((reset - at) / 1000)) } },
  );
}
