import type { Logger } from "pino";

import type { EndpointCaller } from "../../action/endpoint-caller.ts";
import { botNotFound } from "../../bots/read-bot.ts";
import type { Turn } from "../../domain/conversation.ts";
import { ServiceError } from "../../domain/errors.ts";
import { KNOWLEDGE_INTENT } from "../../domain/ids.ts";
import { type EpochMs, startOfNextMonth } from "../../domain/time.ts";
import { answeredElsewhere } from "../../store/idempotency.ts";
import type {
  BegunTurn,
  FinishOutcome,
  RecordOutcome,
  TurnStore,
  TurnToFinish,
  TurnToRecord,
} from "../../store/turn-store.ts";
import { KeyTaken } from "../message.ts";
import { mayBeAssisted } from "./assist-decision.ts";
import { unansweredTurn } from "./compose-turn.ts";
import { callsEndpoint, type DecidedMessage, speaksForItself } from "./decided-message.ts";
import type { ModelCosts } from "./model-costs.ts";
import { isForModel } from "./respond.ts";

/** The parts that recording uses. */
export interface RecordParts {
  store: Pick<TurnStore, "recordTurn" | "beginTurn" | "finishTurn">;
  endpoints: Pick<EndpointCaller, "isDry">;
  log: Pick<Logger, "error">;
}

/** A turn on its way to the disk. Whoever opens a record finishes it, or gives it back. */
export interface TurnRecord {
  /** The message is on disk, and counted, before it is answered: only then may models be asked. */
  readonly isBegun: boolean;
  /** Stores the turn with what was said. */
  finish(turn: Turn): Promise<void>;
  /** There is no answer: the message is counted no longer, and what is on disk of it stays as unanswered. */
  giveBack(decided: DecidedMessage): Promise<void>;
}

/**
 * Begins the turn on disk where a model server or an endpoint may take part in it; its answer follows in a transaction of its own. Any
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
  const calls = callsEndpoint(decided.action) && !parts.endpoints.isDry(decided.conversation.id);
  const begun = calls || mayAskModel(decided) ? await begin(parts, decided, costs) : undefined;
  return begun === undefined
    ? new RecordInOneStep(parts, decided)
    : new RecordInTwoSteps(parts, decided, begun, costs);
}

function mayAskModel({ message: { bot }, decision, ...decided }: DecidedMessage): boolean {
  if (speaksForItself(decided)) return false;
  return isForModel(bot, decision) || mayBeAssisted(bot, decision);
}

/** @returns undefined where the token budget is spent, and the bot can answer by itself. */
async function begin(
  { store }: RecordParts,
  decided: DecidedMessage,
  costs: ModelCosts,
): Promise<BegunTurn | undefined> {
  const { bot } = decided.message;
  const monthlyTokenBudget = mayAskModel(decided) ? bot.document.monthlyTokenBudget : undefined;
  const begun = await store.beginTurn({
    ...placeOf(decided),
    turn: unansweredTurn(decided, costs),
    ...(monthlyTokenBudget !== undefined && { monthlyTokenBudget }),
  });
  if (begun.outcome === "begun") return begun;
  if (begun.outcome !== "budget_spent") throw refusalOf(begun.outcome, decided);
  // Documents answer in their own sentences then.
  if (isForModel(bot, decided.decision) && decided.decision.intent !== KNOWLEDGE_INTENT)
    throw capExceeded("model tokens", decided.at);
  return undefined;
}

/** Where a turn is stored and counted, and what it replaces there. */
function placeOf({ message, conversation }: DecidedMessage): Omit<TurnToRecord, "turn"> {
  const { bot, idempotencyKey, replaces } = message;
  const { monthlyMessageCap } = bot.document;
  return {
    bot: bot.key,
    conversationId: conversation.id,
    ...(monthlyMessageCap !== undefined && { monthlyMessageCap }),
    ...(idempotencyKey && { idempotencyKey }),
    ...(replaces && { replaces }),
  };
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
    const outcome = await this.#store.recordTurn({ ...placeOf(this.#decided), turn });
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

  /**
   * An answer that was cut because everybody had left is counted as well: a model was asked for it. What was said in place of an answer is
   * not, and waits for a retry to replace it.
   */
  async finish(turn: Turn): Promise<void> {
    const isAnswer = turn.state !== "unanswered";
    const outcome = await this.#store(turn, { isCounted: isAnswer, isReplaceable: !isAnswer });
    if (outcome === "finished") return;
    // Some of this answer may have been told already, so the other server's cannot take its place.
    throw outcome === "key_taken" ? answeredElsewhere() : refusalOf(outcome, this.#decided);
  }

  async giveBack(decided: DecidedMessage): Promise<void> {
    try {
      await this.#store(unansweredTurn(decided, this.#costs), { isCounted: false });
    } catch (error) {
      const { requestId } = this.#decided.message;
      this.#parts.log.error(
        { requestId, err: error },
        "a message could not be given back; tried again until it can be written, and at the next start",
      );
    }
  }

  #store(turn: Turn, ending: Pick<TurnToFinish, "isCounted" | "isReplaceable">): Promise<FinishOutcome> {
    const { replaces: _, ...place } = placeOf(this.#decided);
    return this.#parts.store.finishTurn({
      ...this.#begun,
      ...place,
      turn,
      modelTokens: this.#costs.tokens,
      ...ending,
    });
  }
}

const SPENT = {
  messages: "This bot has answered all the messages of this month",
  "model tokens": "This bot has used all the model tokens of this month",
};

/** A bot's monthly cap is reached, or its token budget spent. */
function capExceeded(what: keyof typeof SPENT, at: EpochMs): ServiceError {
  const reset = startOfNextMonth(at);
  return new ServiceError(
    "MESSAGE_CAP_EXCEEDED",
    `${SPENT[what]}; it answers again from ${new Date(reset).toISOString().replace(".000Z", "Z")}.`,
    { headers: { "Retry-After": String(Math.ceil((reset - at) / 1000)) } },
  );
}
