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

/** A turn being stored. Call `finish` or `giveBack` on every opened record. */
export interface TurnRecord {
  /** The message is stored and counted before it is answered, which is required for asking models. */
  readonly isBegun: boolean;
  /** Stores the turn with its answer. */
  finish(turn: Turn): Promise<void>;
  /** There is no answer: the message is no longer counted, and stays stored as unanswered if it was stored. */
  giveBack(decided: DecidedMessage): Promise<void>;
}

/**
 * Stores the message first if a model server or an endpoint may take part in the turn; its answer follows in a separate transaction. Any
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
  return begun === undefined ? inOneStep(parts, decided) : inTwoSteps(parts, decided, begun, costs);
}

function mayAskModel({ message: { bot }, decision, ...decided }: DecidedMessage): boolean {
  if (speaksForItself(decided)) return false;
  return isForModel(bot, decision) || mayBeAssisted(bot, decision);
}

/** @returns undefined if the token budget is used up and the bot can answer without a model. */
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
  // Otherwise documents answer in their own sentences.
  if (isForModel(bot, decided.decision) && decided.decision.intent !== KNOWLEDGE_INTENT)
    throw capExceeded("model tokens", decided.at);
  return undefined;
}

/** Where a turn is stored and counted, and the turn it replaces. */
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

/** Counter, message and answer in one transaction. Before it, nothing is stored or counted that could be given back. */
function inOneStep({ store }: RecordParts, decided: DecidedMessage): TurnRecord {
  return {
    isBegun: false,
    async finish(turn) {
      const outcome = await store.recordTurn({ ...placeOf(decided), turn });
      if (outcome !== "recorded") throw refusalOf(outcome, decided);
    },
    giveBack: async () => {},
  };
}

/** Message and reserved count are stored already. */
function inTwoSteps(
  { store, log }: RecordParts,
  first: DecidedMessage,
  { key, instance }: BegunTurn,
  costs: ModelCosts,
): TurnRecord {
  const { replaces: _, ...place } = placeOf(first);
  const save = (turn: Turn, ending: Pick<TurnToFinish, "isCounted" | "isReplaceable">) =>
    store.finishTurn({ key, instance, ...place, turn, modelTokens: costs.tokens, ...ending });
  return {
    isBegun: true,
    /**
     * An answer cut off because all callers disconnected is counted as well, because a model was asked. A text in place of an answer is not
     * counted, and a retry replaces it.
     */
    async finish(turn) {
      const isAnswer = turn.state !== "unanswered";
      const outcome = await save(turn, { isCounted: isAnswer, isReplaceable: !isAnswer });
      if (outcome === "finished") return;
      // Part of this answer may have been sent already, so the other server's answer cannot replace it.
      throw outcome === "key_taken" ? answeredElsewhere() : refusalOf(outcome, first);
    },
    async giveBack(decided) {
      try {
        await save(unansweredTurn(decided, costs), { isCounted: false });
      } catch (error) {
        log.error(
          { requestId: first.message.requestId, err: error },
          "a message could not be given back; tried again until it can be written, and at the next start",
        );
      }
    },
  };
}

const SPENT = {
  messages: "This bot has answered all the messages of this month",
  "model tokens": "This bot has used all the model tokens of this month",
};

/** The error for a monthly cap or token budget that is used up. */
function capExceeded(what: keyof typeof SPENT, at: EpochMs): ServiceError {
  const reset = startOfNextMonth(at);
  return new ServiceError(
    "MESSAGE_CAP_EXCEEDED",
    `${SPENT[what]}; it answers again from ${new Date(reset).toISOString().replace(".000Z", "Z")}.`,
    { headers: { "Retry-After": String(Math.ceil((reset - at) / 1000)) } },
  );
}
