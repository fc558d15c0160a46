import type { BotKnowledge } from "../bots/bot-knowledge.ts";
import type { LoadedBot } from "../bots/loaded-bot.ts";
import type { Answered } from "../chat/chat-response.ts";
import type { Listener, Message } from "../chat/message.ts";
import type { BotDocument } from "../domain/bot.ts";
import type { ChatResponse } from "../domain/chat.ts";
import type { DecisionReceipt } from "../domain/decision.ts";
import type { RequestId } from "../domain/ids.ts";
import type { EncoderThread } from "../intent/classifier.ts";
import type { TrainedModel } from "../store/interface/bots.ts";

/** Opens a bot in memory, with the turn of a server, on a store that ends with it. */
export type OpenRehearsal = (
  document: BotDocument,
  model: TrainedModel,
  parts: { knowledge: BotKnowledge; encoder: Pick<EncoderThread, "encode"> },
) => Promise<Rehearsal>;

/** A turn that nobody but the operator saw. */
export interface RehearsedTurn {
  answer: ChatResponse;
  receipt: DecisionReceipt;
}

/** The parts that a rehearsal uses: a bot, and a way to answer that ends with the rehearsal. */
export interface RehearsalParts {
  bot: LoadedBot;
  answer: (message: Message, listener: Listener) => Promise<Answered>;
  newRequestId: () => RequestId;
  /** The receipt of a turn that was answered. */
  getReceipt: (request: RequestId) => Promise<DecisionReceipt>;
  close: () => Promise<void>;
}

/** One conversation after another with a bot, neither stored nor counted; for trying a bot out. */
export class Rehearsal implements AsyncDisposable {
  readonly #parts: RehearsalParts;
  readonly #leaving = new AbortController();
  #conversationId: string | undefined;

  constructor(parts: RehearsalParts) {
    this.#parts = parts;
  }

  /** @throws ServiceError as POST /chat does after its checks */
  async say(input: string): Promise<RehearsedTurn> {
    const turn = await this.sayIn(this.#conversationId, input);
    this.#conversationId = turn.answer.conversationId;
    return turn;
  }

  /**
   * The same in a conversation that the caller names; undefined begins one.
   *
   * @throws ServiceError as POST /chat does after its checks
   */
  async sayIn(conversationId: string | undefined, input: string): Promise<RehearsedTurn> {
    const { bot, answer, newRequestId, getReceipt } = this.#parts;
    const requestId = newRequestId();
    const message = { bot, requestId, input, ...(conversationId !== undefined && { conversationId }) };
    const { response } = await answer(message, { left: this.#leaving.signal });
    return { answer: response, receipt: await getReceipt(requestId) };
  }

  /** What is said next begins another conversation. */
  startOver(): void {
    this.#conversationId = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#leaving.abort();
    await this.#parts.close();
  }
}
