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

/** A turn that nobody but the operator saw. */
export interface RehearsedTurn {
  answer: ChatResponse;
  receipt: DecisionReceipt;
  /** What the next turn of the conversation has to know of it. */
  past: PastTurn;
  /** Whether a model server may be asked: for the words of the answer, or about the intent. */
  isForModels: boolean;
}

/** Where models are not asked, a turn that only a model could answer stays `unanswered`, with an empty response. */
export type AskingModels = "asked" | "not-asked";

/** Calls to endpoints: really made, not made, or answered as a test says. */
export type MakingCalls = "made" | "dry" | EndpointAnswer;

/** The parts that a rehearsal uses: a bot that answers, and keeps nothing of it. */
export interface RehearsalParts {
  /** The next turn of a conversation. `left` aborts when nobody waits for it any more. */
  answer: (
    conversation: ConversationHistory,
    input: string,
    options: { models: AskingModels; calls: MakingCalls; left: AbortSignal },
  ) => Promise<RehearsedTurn>;
  newConversationId: () => ConversationId;
  close: () => Promise<void>;
}

/** Conversations with a bot, neither stored nor counted; for trying a bot out. */
export class Rehearsal implements AsyncDisposable {
  readonly #parts: RehearsalParts;
  readonly #leaving = new AbortController();
  #conversation: ConversationHistory;

  constructor(parts: RehearsalParts) {
    this.#parts = parts;
    this.#conversation = { id: parts.newConversationId(), turns: [] };
  }

  /**
   * Goes on with the rehearsal's own conversation.
   *
   * @throws ServiceError as POST /chat does after its checks
   */
  async say(input: string, calls: MakingCalls = "dry"): Promise<RehearsedTurn> {
    const { id, turns } = this.#conversation;
    const asking = { models: "asked", calls, left: this.#leaving.signal } as const;
    const turn = await this.#parts.answer(this.#conversation, input, asking);
    this.#conversation = { id, turns: withTurn(turns, turn.past) };
    return turn;
  }

  /**
   * Answers a message as the next after `turns`, oldest first. Any number of them may be answered at a time.
   *
   * @throws ServiceError as POST /chat does after its checks
   * @throws the signal's reason where it aborts; the calls of model servers end with it.
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

  /** What is said next begins another conversation. */
  startOver(): void {
    this.#conversation = { id: this.#parts.newConversationId(), turns: [] };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#leaving.abort();
    await this.#parts.close();
  }
}

/** A conversation as it is loaded for its next turn. */
export function withTurn(turns: readonly PastTurn[], past: PastTurn): PastTurn[] {
  return [...turns, past].slice(-HISTORY_TURNS);
}
