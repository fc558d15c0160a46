import type { ChatResponse } from "../../domain/chat.ts";
import type { ConversationHistory, Turn } from "../../domain/conversation.ts";
import type { ConversationId } from "../../domain/ids.ts";
import type { EpochMs, Now } from "../../domain/time.ts";
import { judgeMessage } from "../../governance/judge-message.ts";
import type { Metrics } from "../../metrics.ts";
import type { TurnStore } from "../../store/turn-store.ts";
import { chatResponseOf } from "../chat-response.ts";
import type { ConversationLanes } from "../conversation-lanes.ts";
import type { Listener, Message } from "../message.ts";
import { type AssistParts, assistDecision } from "./assist-decision.ts";
import { turnOf } from "./compose-turn.ts";
import { decideTurn } from "./decide-turn.ts";
import { type DecidedMessage, openingOf } from "./decided-message.ts";
import { HeldFollower } from "./held-follower.ts";
import { ModelCosts } from "./model-costs.ts";
import { type RecordParts, openRecord } from "./record-turn.ts";
import { type RespondParts, respond } from "./respond.ts";
import { Stopwatch } from "./stopwatch.ts";
import { turnResultOf } from "./turn-result.ts";
import { type UnderstandParts, understandMessage } from "./understand-message.ts";
import { type MeaningParts, warnOfMeaning } from "./weigh-meaning.ts";

/** The parts that loading a conversation uses. */
interface LoadParts {
  store: Pick<TurnStore, "findConversation">;
  /** Conversations whose last turn is older than this have expired. */
  conversationsNotBefore: () => EpochMs;
}

/** The parts that a turn uses: those of its stages, and its own. */
export interface TurnParts
  extends LoadParts, UnderstandParts, MeaningParts, AssistParts, RespondParts, RecordParts {
  store: LoadParts["store"] & RecordParts["store"];
  models: AssistParts["models"] & RespondParts["models"];
  log: UnderstandParts["log"] & RecordParts["log"];
  lanes: Pick<ConversationLanes, "run">;
  now: Now;
  newConversationId: () => ConversationId;
  metrics: Pick<Metrics, "decisions"> & { bots: Pick<Metrics["bots"], "countTurn"> };
}

/**
 * One turn: load → judge → understand → decide → (assist) → respond → enforce → record. Turns of one conversation run one after another,
 * in order of arrival. The answer is on disk when the promise resolves.
 *
 * @throws ServiceError NOT_FOUND (deleted since it was admitted) | MESSAGE_CAP_EXCEEDED | STORAGE_UNAVAILABLE | MODEL_ERROR | MODEL_TIMEOUT; nothing is counted then.
 */
export function answerTurn(parts: TurnParts, message: Message, listener: Listener): Promise<ChatResponse> {
  const freshId = parts.newConversationId();
  return parts.lanes.run(message.conversationId ?? freshId, async () => {
    const decided = await decideMessage(parts, message, freshId);
    const turn = await completeTurn(parts, decided, listener);
    countTurn(parts, message, turn);
    return chatResponseOf(decided.conversation.id, turn);
  });
}

function countTurn({ metrics }: Pick<TurnParts, "metrics">, { bot }: Message, turn: Turn): void {
  metrics.decisions.inc({ decision: turn.metadata.enforcementReason ?? "allowed" });
  metrics.bots.countTurn(bot.id, turnResultOf(turn));
}

/** Load → judge → understand → decide. */
async function decideMessage(
  parts: TurnParts,
  message: Message,
  freshId: ConversationId,
): Promise<DecidedMessage> {
  const { bot } = message;
  const stopwatch = new Stopwatch();
  const conversation = await loadConversation(parts, message, freshId);
  stopwatch.lap("load");
  const plain = judgeMessage(message.input, bot.classifier, bot.policy);
  stopwatch.lap("classify");
  const understood = await understandMessage(parts, message, plain);
  if (understood.understanding) stopwatch.lap("understand");
  const { judged } = understood;
  const at = parts.now();
  const deciding = { bot, vectors: parts.vectors, onFailure: warnOfMeaning(parts, message.requestId) };
  const decided = await decideTurn(deciding, judged, conversation.turns, at);
  stopwatch.lap("decide");
  return { message, conversation, at, ...understood, ...decided, stopwatch };
}

/** (Assist) → respond → enforce → record. */
async function completeTurn(
  parts: TurnParts,
  first: DecidedMessage,
  { left, follower: listening }: Listener,
): Promise<Turn> {
  const costs = new ModelCosts();
  const follower = listening && new HeldFollower(listening);
  const record = await openRecord(parts, first, costs);
  let decided = first;
  try {
    if (record.isBegun) {
      decided.stopwatch.lap("begin");
      follower?.release();
      decided = await assistDecision(parts, first, left, costs);
    }
    follower?.decided(openingOf(decided));
    const reply = await respond(parts, decided, {
      follower,
      left,
      costs,
      mayAskModels: record.isBegun,
    });
    decided.stopwatch.lap("respond");
    const turn = turnOf(decided, reply, costs);
    await record.finish(turn);
    follower?.release();
    return turn;
  } catch (error) {
    await record.giveBack(decided);
    throw error;
  }
}

/** An id that is unknown, expired or of another bot starts a new conversation (decisions §9). */
async function loadConversation(
  { store, conversationsNotBefore }: LoadParts,
  { bot, conversationId }: Message,
  freshId: ConversationId,
): Promise<ConversationHistory> {
  const found =
    conversationId === undefined
      ? undefined
      : await store.findConversation(conversationId, bot.key, conversationsNotBefore());
  return found ?? { id: freshId, turns: [] };
}
