import type { Logger } from "pino";

import { botNotFound } from "../../bots/bot-not-found.ts";
import type { Turn } from "../../domain/conversation.ts";
import { KNOWLEDGE_INTENT } from "../../domain/ids.ts";
import { answeredElsewhere } from "../../store/idempotency.ts";
import type { BegunTurn, FinishOutcome, RecordOutcome, TurnStore } from "../../store/turn-store.ts";
import { KeyTaken } from "../key-taken.ts";
import { mayBeAssisted } from "./assist-decision.ts";
import { capExceeded } from "./cap-exceeded.ts";
import { unansweredTurn } from "./compose-turn.ts";
import type { DecidedMessage } from "./decided-message.ts";
import type { ModelCosts } from "./model-costs.ts";
import { isForModel } from "./respond.ts";

/** The parts that recording uses. */
export interface RecordParts {
  store: Pick<TurnStore, "recordTurn" | "beginTurn" | "finishTurn">;
  log: Pick<Logger, "error">;
}

/** A turn on its way to the disk. Whoever opens a record finishes it, or gives it back. */
export interface TurnRecord {
  /** The message is on disk, and counted, before it is answered: only then may models be asked. */
  readonly isBegun: boolean;
  /** Stores the turn with its answer. */
  finish(turn: Turn): Promise<void>;
  /** There is no answer: the message is counted no longer, and what is on disk of it stays as unanswered. */
  giveBack(decided: DecidedMessage): Promise<void>;
}

/**
 * Begins the turn on disk where a model server may take part in it; its answer follows in a transaction of its own. Any
 * other turn is stored with its answer in one transaction.
 *
 * @throws ServiceError NOT_FOUND | MESSAGE_CAP_EXCEEDED | STORAGE_UNAVAILABLE
 * @throws KeyTaken
 */
export async function openRecord(
  parts: RecordParts,
  decided: DecidedMessage,
  costs: ModelCosts,
): Promise<TurnRecord> {
  const begun = mayAskModel(decided) ? await begin(parts, decided, costs) : undefined;
  return begun === undefined
    ? new RecordInOneStep(parts, decided)
    : new RecordInTwoSteps(parts, decided, begun, costs);
}

function mayAskModel({ message: { bot }, decision }: DecidedMessage): boolean {
  return isForModel(bot, decision) || mayBeAssisted(bot, decision);
}

/** @returns undefined where the token budget is spent, and the bot can answer by itself. */
async function begin(
  { store }: RecordParts,
  decided: DecidedMessage,
  costs: ModelCosts,
): Promise<BegunTurn | undefined> {
  const { bot, idempotencyKey } = decided.message;
  const { monthlyMessageCap, monthlyTokenBudget } = bot.document;
  const begun = await store.beginTurn({
    bot: bot.key,
    conversationId: decided.conversation.id,
    turn: unansweredTurn(decided, costs),
    ...(monthlyMessageCap !== undefined && { monthlyMessageCap }),
    ...(monthlyTokenBudget !== undefined && { monthlyTokenBudget }),
    ...(idempotencyKey && { idempotencyKey }),
  });
  if (begun.outcome === "begun") return begun;
  if (begun.outcome !== "budget_spent") throw refusalOf(begun.outcome, decided);
  // Documents answer in their own sentences then.
  if (isForModel(bot, decided.decision) && decided.decision.intent !== KNOWLEDGE_INTENT)
    throw capExceeded("model tokens", decided.at);
  return undefined;
}

function refusalOf(outcome: Exclude<RecordOutcome, "recorded">, { at }: DecidedMessage): Error {
  if (outcome === "key_taken") return new KeyTaken();
  return outcome === "bot_deleted" ? botNotFound() : capExceeded("messages", at);
}

/** Counter, message and answer are one transaction. */
class RecordInOneStep implements TurnRecord {
  readonly isBegun = false;
  readonly #store: RecordParts["store"];
  readonly #decided: DecidedMessage;

  constructor({ store }: RecordParts, decided: DecidedMessage) {
    this.#store = store;
    this.#decided = decided;
  }

  async finish(turn: Turn): Promise<void> {
    const { message, conversation } = this.#decided;
    const { bot, idempotencyKey } = message;
    const { monthlyMessageCap } = bot.document;
    const outcome = await this.#store.recordTurn({
      bot: bot.key,
      conversationId: conversation.id,
      turn,
      ...(monthlyMessageCap !== undefined && { monthlyMessageCap }),
      ...(idempotencyKey && { idempotencyKey }),
    });
    if (outcome !== "recorded") throw refusalOf(outcome, this.#decided);
  }

  /** Nothing is on disk, and nothing counted. */
  async giveBack(): Promise<void> {}
}

/** Message and reserved count are on disk already. */
class RecordInTwoSteps implements TurnRecord {
  readonly isBegun = true;
  readonly #parts: RecordParts;
  readonly #decided: DecidedMessage;
  readonly #begun: BegunTurn;
  readonly #costs: ModelCosts;

  constructor(parts: RecordParts, decided: DecidedMessage, { key, instance }: BegunTurn, costs: ModelCosts) {
    this.#parts = parts;
    this.#decided = decided;
    this.#begun = { key, instance };
    this.#costs = costs;
  }

  /** A keyed answer that was cut will be asked for again: it is counted when it is there. */
  async finish(turn: Turn): Promise<void> {
    const { idempotencyKey } = this.#decided.message;
    const outcome = await this.#store(turn, turn.state !== "cut" || idempotencyKey === undefined);
    if (outcome === "finished") return;
    // Some of this answer may have been told already, so the other server's cannot take its place.
    throw outcome === "key_taken" ? answeredElsewhere() : refusalOf(outcome, this.#decided);
  }

  async giveBack(decided: DecidedMessage): Promise<void> {
    try {
      await this.#store(unansweredTurn(decided, this.#costs), false);
    } catch (error) {
      const { requestId } = this.#decided.message;
      this.#parts.log.error(
        { requestId, err: error },
        "a message could not be given back; tried again until it can be written, and at the next start",
      );
    }
  }

  #store(turn: Turn, isCounted: boolean): Promise<FinishOutcome> {
    const { message, conversation } = this.#decided;
    const { bot, idempotencyKey } = message;
    const { monthlyMessageCap } = bot.document;
    return this.#parts.store.finishTurn({
      ...this.#begun,
      bot: bot.key,
      conversationId: conversation.id,
      turn,
      modelTokens: this.#costs.tokens,
      isCounted,
      ...(monthlyMessageCap !== undefined && { monthlyMessageCap }),
      ...(idempotencyKey && { idempotencyKey }),
    });
  }
}
