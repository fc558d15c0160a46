import type { ChatResponse } from "../../domain/chat.ts";
import type { ConversationHistory, Turn } from "../../domain/conversation.ts";
import type { ServiceError } from "../../domain/errors.ts";
import type { ConversationId } from "../../domain/ids.ts";
import type { EpochMs } from "../../domain/time.ts";
import type { Metrics } from "../../metrics.ts";
import type { TurnResult } from "../../metrics/bots.ts";
import type { TurnStore } from "../../store/turn-store.ts";
import type { ConversationLanes } from "../concurrent-turns.ts";
import {
  chatResponseOf,
  type Listener,
  type Message,
  type TurnFollower,
  type TurnOpening,
} from "../message.ts";
import type { ActionResult, ActParts } from "./action-result.ts";
import { type Answer, freeAnswer, type Reply, validAnswer } from "./answer.ts";
import { assistDecision, type AssistParts } from "./assist-decision.ts";
import { turnOf } from "./compose-turn.ts";
import { decideTurn } from "./decide-turn.ts";
import { type DecidedMessage, openingOf, speaksForItself, Stopwatch } from "./decided-message.ts";
import { earlierRequest } from "./earlier-turns.ts";
import { ModelCosts } from "./model-costs.ts";
import { performAction } from "./perform-action.ts";
import { planAction } from "./plan-action.ts";
import { openRecord, type RecordParts } from "./record-turn.ts";
import { respond, type Responding, type RespondParts } from "./respond.ts";
import { isPlainReply, understandMessage, warnOfMeaning } from "./use-encoder.ts";

/** The parts that loading a conversation uses. */
interface LoadParts {
  store: Pick<TurnStore, "findConversation">;
  /** Conversations with an older last turn have expired. */
  conversationsNotBefore: () => EpochMs;
}

/** The parts of all stages of a turn. */
export interface TurnParts extends LoadParts, AssistParts, RespondOrActParts, RecordParts {
  store: LoadParts["store"] & RecordParts["store"];
  models: AssistParts["models"] & RespondOrActParts["models"];
  endpoints: RespondOrActParts["endpoints"];
  log: AssistParts["log"] & RecordParts["log"];
  lanes: Pick<ConversationLanes, "run">;
  newConversationId: () => ConversationId;
  metrics: Pick<Metrics, "decisions"> & { bots: Pick<Metrics["bots"], "countTurn"> };
  /** Passes a message to the operator who has taken over. @returns undefined if there is none. Absent if there can be none. */
  passToPerson?: (
    message: Message,
    conversation: ConversationHistory,
    listener: Listener,
  ) => Promise<ChatResponse | undefined>;
}

/**
 * One turn: load → judge → understand → decide → (assist) → respond → enforce → record. Turns of one conversation run one after another,
 * in order of arrival. The answer is on disk when the promise resolves.
 *
 * @throws ServiceError NOT_FOUND (deleted since admission) | MESSAGE_CAP_EXCEEDED | STORAGE_UNAVAILABLE | MODEL_ERROR | MODEL_TIMEOUT; the
 * message is not counted then.
 */
export function answerTurn(parts: TurnParts, message: Message, listener: Listener): Promise<ChatResponse> {
  const freshId = parts.newConversationId();
  return parts.lanes.run(message.conversationId ?? freshId, async () => {
    const stopwatch = new Stopwatch();
    const conversation = await loadConversation(parts, message, freshId);
    stopwatch.lap("load");
    const passed = await parts.passToPerson?.(message, conversation, listener);
    if (passed) return passed;
    const decided = await decideMessage(parts, message, { conversation, stopwatch });
    const turn = await completeTurn(parts, decided, listener);
    countTurn(parts, message, turn);
    return chatResponseOf(decided.conversation.id, turn);
  });
}

function countTurn({ metrics }: Pick<TurnParts, "metrics">, { bot }: Message, turn: Turn): void {
  metrics.decisions.inc({ decision: turn.metadata.enforcementReason ?? "allowed" });
  metrics.bots.countTurn(bot.id, turnResultOf(turn));
}

/** Judge → understand → decide. */
async function decideMessage(
  parts: TurnParts,
  message: Message,
  { conversation, stopwatch }: Pick<DecidedMessage, "conversation" | "stopwatch">,
): Promise<DecidedMessage> {
  const { bot } = message;
  const plain = await parts.judge(bot, message.input);
  stopwatch.lap("classify");
  const at = parts.now();
  const before = earlierRequest(conversation.turns, at, bot.policy.social);
  const understood = isPlainReply(message.input, conversation.turns)
    ? { judged: plain }
    : await understandMessage(parts, message, plain, before);
  if (understood.understanding) stopwatch.lap("understand");
  const { judged, understanding } = understood;
  const deciding = {
    bot,
    vectors: parts.vectors,
    onFailure: warnOfMeaning(parts, message.requestId),
    ...(understanding && understanding !== "used" && { understanding }),
  };
  const decided = await decideTurn(deciding, judged, conversation.turns, at);
  stopwatch.lap("decide");
  return planAction(parts, { message, conversation, at, ...understood, ...decided, stopwatch });
}

/** (Assist) → respond → enforce → record; or gives the turn back on failure. */
async function completeTurn(
  parts: TurnParts,
  first: DecidedMessage,
  { left, follower: listening }: Listener,
): Promise<Turn> {
  const costs = new ModelCosts();
  const follower = listening && new HeldFollower(listening);
  const record = await openRecord(parts, first, costs);
  const mayAskModels = record.isBegun;
  let decided = first;
  let turn: Turn;
  try {
    if (record.isBegun) {
      decided.stopwatch.lap("begin");
      follower?.release();
      if (!speaksForItself(first)) {
        decided = await planAction(parts, await assistDecision(parts, first, left, costs));
      }
    }
    follower?.decided(openingOf(decided));
    const reply = await respondOrAct(parts, decided, { follower, left, costs, mayAskModels });
    decided.stopwatch.lap("respond");
    if (reply.state === "unanswered") noteFailure(parts, first.message, reply.failure);
    turn = turnOf(decided, reply, costs);
    await record.finish(turn);
  } catch (error) {
    await record.giveBack(decided);
    throw error;
  }
  // The turn is on disk: it stays even if the listener fails now.
  follower?.release();
  return turn;
}

/** The visitor gets 200, so this log line is the only trace of the failed model request. */
function noteFailure(
  { log }: Pick<TurnParts, "log">,
  { requestId }: Message,
  { errorCode, options }: ServiceError,
): void {
  log.warn(
    { requestId, code: errorCode, ...options.logFields },
    "no model answered; the visitor was offered a person",
  );
}

/** An id that is unknown, expired or of another bot starts a new conversation. A retry does not follow the turn that it replaces. */
async function loadConversation(
  { store, conversationsNotBefore }: LoadParts,
  { bot, conversationId, replaces }: Message,
  freshId: ConversationId,
): Promise<ConversationHistory> {
  const found =
    conversationId === undefined
      ? undefined
      : await store.findConversation(conversationId, bot.key, conversationsNotBefore());
  if (found === undefined) return { id: freshId, turns: [] };
  return { ...found, turns: found.turns.filter(({ requestId }) => requestId !== replaces) };
}

/** Informs a follower about a turn, but only after the message is on disk. */
export class HeldFollower implements TurnFollower {
  readonly #follower: TurnFollower;
  #held: ((follower: TurnFollower) => void)[] | undefined = [];

  constructor(follower: TurnFollower) {
    this.#follower = follower;
  }

  decided(opening: TurnOpening): void {
    this.#tell((follower) => follower.decided(opening));
  }

  said(text: string): void {
    this.#tell((follower) => follower.said(text));
  }

  /** The message is on disk: passes on what was held, and everything later at once. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const tell of held) tell(this.#follower);
  }

  #tell(tell: (follower: TurnFollower) => void): void {
    if (this.#held) this.#held.push(tell);
    else tell(this.#follower);
  }
}

/** The result under which a turn is counted. */
export function turnResultOf({
  state,
  metadata: { enforcementReason },
  receipt: { rule, suggestions = [] },
}: Pick<Turn, "state" | "metadata" | "receipt">): TurnResult {
  if (state === "unanswered") return "model_down";
  if (enforcementReason === "no_intent_match")
    return suggestions.length > 0 ? "asked_back" : "no_intent_match";
  if (enforcementReason !== undefined) return enforcementReason;
  if (rule === "social") return "social";
  if (rule === "knowledge") return "knowledge";
  return rule === "default-intent" ? "default_intent" : "answered";
}

/** The parts that answering or acting uses. */
interface RespondOrActParts extends RespondParts, ActParts {}

/** A reply with the result of an action. */
type ActingReply = Reply & { result?: ActionResult };

/**
 * Answers a turn, or performs its action. If the message asked something else, the action's open question follows the answer.
 *
 * @throws ServiceError MODEL_ERROR | MODEL_TIMEOUT | STORAGE_UNAVAILABLE
 */
async function respondOrAct(
  parts: RespondOrActParts,
  decided: DecidedMessage,
  responding: Responding,
): Promise<ActingReply> {
  const { action } = decided;
  if (action === undefined) return respond(parts, decided, responding);
  const result = await performAction(parts, { ...decided, action });
  if (!speaksForItself(decided)) {
    const reply = await respond(parts, decided, responding);
    return { ...withQuestion(reply, result.text, responding), result };
  }
  const answer = result.satisfiesSchema ? validAnswer(result.text) : freeAnswer(result.text);
  responding.follower?.said(answer.response);
  return { state: "complete", answer, result };
}

/** An answer under a schema gets no question appended. */
function withQuestion(reply: Reply, question: string, { follower }: Responding): Reply {
  if (question === "" || reply.state !== "complete" || reply.answer.metadata.schemaEnforced) return reply;
  const behind = `\n\n${question}`;
  follower?.said(behind);
  const answer: Answer = { ...reply.answer, response: reply.answer.response + behind };
  return { ...reply, answer };
}
