import type { ChatResponse } from "../domain/chat.ts";
import type { ConversationHistory, Turn } from "../domain/conversation.ts";
import { type ConversationId, newConversationId } from "../domain/ids.ts";
import { decide } from "../governance/decide.ts";
import { judgeMessage } from "../governance/judge-message.ts";
import { answerDecision } from "./answer.ts";
import { botNotFound } from "./bot-not-found.ts";
import { capExceeded } from "./cap-exceeded.ts";
import { type DecidedMessage, type Message, type TurnRuntime, openingOf, turnOf } from "./message.ts";
import { mayAskModel, runModelTurn } from "./model-turn.ts";
import { previousTurn } from "./previous-turn.ts";
import { Stopwatch } from "./stopwatch.ts";

/**
 * One turn: load → classify → decide → respond → enforce → record. Turns of one conversation run one after another, in
 * order of arrival. The answer is on disk when the promise resolves.
 *
 * @throws ServiceError NOT_FOUND (deleted since it was admitted) | MESSAGE_CAP_EXCEEDED | STORAGE_UNAVAILABLE | MODEL_ERROR | MODEL_TIMEOUT; nothing is counted then.
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
  const at = runtime.now();
  const decision = decide({ judged, policy: bot.policy, ...previousTurn(conversation.turns, at) });
  stopwatch.lap("decide");
  const decided = { message, conversation, at, judged, decision, stopwatch };
  const helped = mayAskModel(bot, decision) ? await runModelTurn(runtime, decided) : undefined;
  const turn = helped ?? (await runOwnTurn(runtime, decided));
  runtime.metrics.decisions.inc({ decision: turn.metadata.enforcementReason ?? "allowed" });
  return chatResponseOf(conversation.id, turn);
}

/** A turn without a model: counter, message and answer are one transaction. */
async function runOwnTurn(runtime: TurnRuntime, decided: DecidedMessage): Promise<Turn> {
  const { message, conversation, decision, stopwatch } = decided;
  const answer = answerDecision(message.bot, decision, conversation.turns);
  stopwatch.lap("respond");
  const turn = turnOf(decided, answer);
  await recordTurn(runtime, message, conversation.id, turn);
  message.follower?.decided(openingOf(decided));
  message.follower?.said(turn.response);
  return turn;
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
  const { monthlyMessageCap } = bot.document;
  const outcome = await store.recordTurn({
    bot: bot.key,
    conversationId,
    turn,
    ...(monthlyMessageCap !== undefined && { monthlyMessageCap }),
    ...(idempotencyKey && { idempotencyKey }),
  });
  if (outcome === "bot_deleted") throw botNotFound();
  if (outcome === "cap_reached") throw capExceeded("messages", turn.at);
}
