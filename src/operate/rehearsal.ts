import type { EndpointAnswer } from "../action/word-answer.ts";
import type { BotKnowledge } from "../bots/bot-knowledge.ts";
import type { Judge } from "../bots/judging-thread.ts";
import type { BotDocument } from "../domain/bot.ts";
import type { ChatResponse } from "../domain/chat.ts";
import { type ConversationHistory, HISTORY_TURNS, type PastTurn } from "../domain/conversation.ts";
import type { DecisionReceipt } from "../domain/decision.ts";
import type { ConversationId } from "../domain/ids.ts";
import type { EncoderThread } from "../intent/classifier.ts";
import type { TrainedModel } from "../store/interface/bots.ts";

/** Opens a bot in memory, with the turn of a server. */
export type OpenRehearsal = (
  document: BotDocument,
  model: TrainedModel,
  parts: { knowledge: BotKnowledge; encoder: Pick<EncoderThread, "encode">; judge?: Judge },
) => Promise<Rehearsal>;

/** A turn of a rehearsal. */
export interface RehearsedTurn {
  answer: ChatResponse;
  receipt: DecisionReceipt;
  /** The facts that the next turn of the conversation needs. */
  past: PastTurn;
  /** Whether a model server may be asked, for the answer's wording or about the intent. */
  isForModels: boolean;
}

/** If models are not asked, a turn that needs one stays `unanswered` with an empty response. */
export type AskingModels = "asked" | "not-asked";

/** Calls to endpoints: really made, not made, or answered as a test says. */
export type MakingCalls = "made" | "dry" | EndpointAnswer;

/** A bot that answers without storing anything. */
export interface RehearsalParts {
  /** Answers the next turn of a conversation. `left` aborts when the caller no longer waits for it. */
  answer: (
    conversation: ConversationHistory,
    input: string,
    options: { models: AskingModels; calls: MakingCalls; left: AbortSignal },
  ) => Promise<RehearsedTurn>;
  newConversationId: () => ConversationId;
  close: () => Promise<void>;
}

/** Conversations with a bot that are neither stored nor counted, for trying it out. */
export class Rehearsal implements AsyncDisposable {
  readonly #parts: RehearsalParts;
  readonly #leaving = new AbortController();
  #conversation: ConversationHistory;

  constructor(parts: RehearsalParts) {
    this.#parts = parts;
    this.#conversation = { id: parts.newConversationId(), turns: [] };
  }

  /**
   * Continues the rehearsal's own conversation.
   *
   * @throws ServiceError like POST /chat after its checks
   */
  async say(input: string, calls: MakingCalls = "dry"): Promise<RehearsedTurn> {
    const { id, turns } = this.#conversation;
    const asking = { models: "asked", calls, left: this.#leaving.signal } as const;
    const turn = await this.#parts.answer(this.#conversation, input, asking);
    this.#conversation = { id, turns: withTurn(turns, turn.past) };
    return turn;
  }

  /**
   * Answers a message that follows `turns`, oldest first. Several may run at once.
   *
   * @throws ServiceError like POST /chat after its checks @throws the signal's reason if it aborts; calls to model servers are then
   * aborted, too.
   */
  async sayAfter(
    turns: readonly PastTurn[],
    input: string,
    { models, calls = "dry", signal }: { models: AskingModels; calls?: MakingCalls; signal: AbortSignal },
  ): Promise<RehearsedTurn> {
    signal.throwIfAborted();
    const left = AbortSignal.any([signal, this.#leaving.signal]);
    const conversation = { id: this.#parts.newConversationId(), turns };
    const turn = await this.#parts.answer(conversation, input, { models, calls, left });
    left.throwIfAborted();
    return turn;
  }

  /** The next message begins a new conversation. */
  startOver(): void {
    this.#conversation = { id: this.#parts.newConversationId(), turns: [] };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#leaving.abort();
    await this.#parts.close();
  }
}

/** A conversation in the form in which it is loaded for its next turn. */
export function withTurn(turns: readonly PastTurn[], past: PastTurn): PastTurn[] {
  return [...turns, past].slice(-HISTORY_TURNS);
}
