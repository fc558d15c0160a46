import type { CallOrder, CallOutcome, EndpointCaller } from "../action/endpoint-caller.ts";
import { chatResponseOf } from "../chat/message.ts";
import type { CallFault } from "../domain/action.ts";
import { type ConversationHistory, pastTurnOf, type Turn } from "../domain/conversation.ts";
import { ServiceError } from "../domain/errors.ts";
import type { ConversationId, InstanceId } from "../domain/ids.ts";
import type { AskingModels, MakingCalls, RehearsedTurn } from "../operate/rehearsal.ts";
import type { TurnKey } from "../store/interface/conversations.ts";
import type {
  BeginOutcome,
  FinishOutcome,
  RecordOutcome,
  TurnStore,
  TurnToBegin,
  TurnToFinish,
  TurnToRecord,
} from "../store/turn-store.ts";

/** The methods of a store that answering a message uses; messages with idempotency keys use more. */
export type TurnPath = Pick<TurnStore, "findConversation" | "recordTurn" | "beginTurn" | "finishTurn">;

/** A message that is being answered. */
interface Rehearsing {
  readonly conversation: ConversationHistory;
  readonly models: AskingModels;
  readonly calls: MakingCalls;
  /** The decided turn, if a model server would be asked next. */
  begun?: Turn;
  /** With its answer. */
  answered?: Turn;
}

/** Replaces a store if nothing is to be stored or counted: the caller passes the conversation, and gets its next turn. */
export class RehearsedTurns implements TurnPath, EndpointCaller {
  readonly #endpoints: EndpointCaller;
  /** By the conversation's id, in which no other message is answered at the same time. */
  readonly #rehearsing = new Map<string, Rehearsing>();

  /** @param endpoints what is called if calls are really made. */
  constructor(endpoints: EndpointCaller) {
    this.#endpoints = endpoints;
  }

  /** @param answer answers a message of this conversation; model servers are asked only if `models` is `asked`. */
  async rehearse(
    conversation: ConversationHistory,
    { models, calls }: Pick<Rehearsing, "models" | "calls">,
    answer: () => Promise<unknown>,
  ): Promise<RehearsedTurn> {
    const rehearsing: Rehearsing = { conversation, models, calls };
    this.#rehearsing.set(conversation.id, rehearsing);
    try {
      await answer();
    } catch (error) {
      if (!isModelMissing(rehearsing, error)) throw error;
    } finally {
      this.#rehearsing.delete(conversation.id);
    }
    const turn = (rehearsing.answered ?? rehearsing.begun)!;
    return {
      answer: chatResponseOf(conversation.id, turn),
      receipt: turn.receipt,
      past: pastTurnOf(turn),
      isForModels: rehearsing.begun !== undefined,
    };
  }

  isDry(conversation: ConversationId): boolean {
    return this.#rehearsing.get(conversation)?.calls !== "made";
  }

  refusalOf(order: CallOrder): CallFault | undefined {
    return this.isDry(order.conversation) ? undefined : this.#endpoints.refusalOf(order);
  }

  async call(order: CallOrder): Promise<CallOutcome> {
    const { calls } = this.#rehearsing.get(order.conversation)!;
    if (calls === "made") return this.#endpoints.call(order);
    const outcome =
      calls === "dry" ? ({ kind: "dry" } as const) : ({ kind: "answered", answer: calls } as const);
    return { ...outcome, milliseconds: 0 };
  }

  async findConversation(id: string): Promise<ConversationHistory | undefined> {
    return this.#rehearsing.get(id)?.conversation;
  }

  async recordTurn({ conversationId, turn }: TurnToRecord): Promise<RecordOutcome> {
    this.#rehearsing.get(conversationId)!.answered = turn;
    return "recorded";
  }

  /** If no model is to be asked, the turn continues as in a month whose token budget is spent. */
  async beginTurn({ conversationId, turn }: TurnToBegin): Promise<BeginOutcome> {
    const rehearsing = this.#rehearsing.get(conversationId)!;
    rehearsing.begun = turn;
    if (rehearsing.models === "not-asked") return { outcome: "budget_spent" };
    return { outcome: "begun", key: 0 as TurnKey, instance: "in_rehearsal" as InstanceId };
  }

  async finishTurn({ conversationId, turn }: TurnToFinish): Promise<FinishOutcome> {
    this.#rehearsing.get(conversationId)!.answered = turn;
    return "finished";
  }
}

/** Whether a turn has no answer because only a model could give one. */
function isModelMissing({ models, begun }: Rehearsing, error: unknown): boolean {
  const isSpent = error instanceof ServiceError && error.errorCode === "MESSAGE_CAP_EXCEEDED";
  return isSpent && models === "not-asked" && begun !== undefined;
}
