import type { Judge } from "../bots/judging-thread.ts";
import type { LoadedBot } from "../bots/loaded-bot.ts";
import type { Understand } from "../bots/understanding.ts";
import type { Vectors } from "../bots/vectors.ts";
import { withAssistance } from "../chat/turn/assist-decision.ts";
import { type DecidedTurn, decideTurn } from "../chat/turn/decide-turn.ts";
import { earlierRequest } from "../chat/turn/earlier-turns.ts";
import { planAction } from "../chat/turn/plan-action.ts";
import { isPlainReply } from "../chat/turn/use-encoder.ts";
import { type ConversationHistory, HISTORY_TURNS, pastTurnOf } from "../domain/conversation.ts";
import type { IntentAssistance } from "../domain/decision.ts";
import type { ConversationId } from "../domain/ids.ts";
import type { EpochMs } from "../domain/time.ts";
import type { SaidBefore } from "../governance/follow-up/follow-up.ts";
import type { JudgedMessage } from "../governance/judged-message.ts";
import type { StoredTurn } from "../store/interface/conversations.ts";
import type { Conversations, Handoffs } from "../store/interface/store.ts";

/** A message, and everything that its decision depends on besides the bot. */
export interface MessageInContext {
  text: string;
  conversation: Pick<ConversationHistory, "turns" | "handoffAt">;
  at: EpochMs;
  /** Whether the encoder reads the message if the classifier is unsure. */
  isUnderstood: boolean;
  /** Whether passages are compared with the message by the encoder's vectors, and not only by words. */
  isMeaningWeighed: boolean;
  /** What model servers replied when the message was first decided; they are not asked again. */
  assistance?: IntentAssistance;
  /** The message as a model rewrote it: one question that is understood without the conversation. */
  standalone?: string;
}

/** The parts that deciding again uses besides the bot. */
export interface DecidingAgain {
  judge: Judge;
  understand: Understand;
  vectors: Vectors;
}

/** A decision, with the judged message that it is based on. */
export type DecidedAgain = DecidedTurn & { judged: JudgedMessage };

/**
 * Decides a message by the same stages as a visitor's: judge, understand, decide, plan the action. Nothing is stored, and no model server
 * is asked.
 *
 * @throws Error if the encoder fails.
 */
export async function decideAgain(
  bot: LoadedBot,
  { text, conversation, at, assistance, standalone, ...reading }: MessageInContext,
  { judge, understand, vectors }: DecidingAgain,
): Promise<DecidedAgain> {
  const { classifier, policy, knowledge } = bot;
  const { turns } = conversation;
  const found = await bot.findSentences();
  const sentences = typeof found === "string" ? undefined : found;
  const read = async (said: string, isEncoded: boolean, before?: SaidBefore) => {
    const plain = await judge(bot, said);
    if (!isEncoded) return plain;
    return understand({ classifier, policy, sentences, hasDocuments: knowledge.isThere() }, plain, before);
  };
  const isEncoded = reading.isUnderstood && !isPlainReply(text, turns);
  const understood = await read(text, isEncoded, earlierRequest(turns, at, policy.social));
  const question =
    standalone === undefined ? undefined : await read(standalone, assistance?.understanding === "used");
  const judged = withAssistance(understood, assistance, bot, question);
  const deciding = { bot, vectors: reading.isMeaningWeighed ? vectors : undefined, onFailure: rethrow };
  const decided = await decideTurn(deciding, judged, turns, at);
  const message = { bot, input: text };
  const { decision } = await planAction({ judge }, { message, conversation, at, judged, ...decided });
  return { ...decided, decision, judged };
}

function rethrow(error: unknown): never {
  throw error;
}

/** The parts of the store that `turnsInContext` reads. */
export interface ConversationStore {
  conversations: Pick<Conversations, "listTurns">;
  handoffs: Pick<Handoffs, "historyOf">;
}

/** A stored turn, with its conversation as it was before it. */
export interface TurnInContext {
  turn: StoredTurn;
  conversation: MessageInContext["conversation"];
}

/** The turns of a conversation, oldest first. */
export async function turnsInContext(
  { conversations, handoffs }: ConversationStore,
  id: ConversationId,
): Promise<TurnInContext[]> {
  const all = await conversations.listTurns(id);
  const past = all.map(pastTurnOf);
  // Hand-offs are read only if an action was used: only an action's open question depends on when a person joined or left.
  const people = past.some(({ action }) => action) ? (await handoffs.historyOf(id)).handoffs : [];
  const times = people.flatMap(({ createdAt, updatedAt }) => [createdAt, updatedAt]);
  return all.map((turn, place) => {
    const before = times.filter((time) => time <= turn.at);
    const turns = past.slice(Math.max(0, place - HISTORY_TURNS), place);
    return { turn, conversation: { turns, ...(before.length > 0 && { handoffAt: Math.max(...before) }) } };
  });
}
