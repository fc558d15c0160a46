import type { LoadedBot } from "../bots/loaded-bot.ts";
import type { Turn } from "../domain/conversation.ts";
import type { Decision } from "../domain/decision.ts";
import type { TurnKey } from "../store/conversations.ts";
import { answerDecision, freeAnswer } from "./answer.ts";
import { assist, mayBeAssisted } from "./assist.ts";
import { botNotFound } from "./bot-not-found.ts";
import { capExceeded } from "./cap-exceeded.ts";
import { type DecidedMessage, type TurnRuntime, openingOf, turnOf } from "./message.ts";
import { type ModelAnswer, answerWithModel } from "./model-answer.ts";
import { ModelLedger } from "./model-ledger.ts";

/** Only an allowed intent reaches a responder. */
const isForModel = (bot: LoadedBot, decision: Decision): boolean =>
  decision.kind === "allowed" && bot.responderFor(decision.intent).kind === "model";

/** Whether a model server takes part in a turn. */
export function mayAskModel(bot: LoadedBot, decision: Decision): boolean {
  return isForModel(bot, decision) || mayBeAssisted(bot, decision);
}

/**
 * A turn in which a model server is asked. Message and reserved count are on disk before; the answer follows in a
 * transaction of its own. When there is none, the turn stays as unanswered and its count is given back.
 *
 * @returns undefined where the token budget is spent and the bot can answer by itself.
 * @throws ServiceError NOT_FOUND | MESSAGE_CAP_EXCEEDED | STORAGE_UNAVAILABLE | MODEL_ERROR | MODEL_TIMEOUT
 */
export async function runModelTurn(runtime: TurnRuntime, first: DecidedMessage): Promise<Turn | undefined> {
  const key = await beginTurn(runtime, first);
  if (key === undefined) return undefined;
  first.stopwatch.lap("begin");
  const ledger = new ModelLedger();
  let decided = first;
  try {
    if (mayBeAssisted(first.message.bot, first.decision)) {
      decided = await assist(runtime, first, ledger);
      decided.stopwatch.lap("assist");
    }
    decided.message.follower?.decided(openingOf(decided));
    const { state, answer } = await respond(runtime, decided, ledger);
    decided.stopwatch.lap("respond");
    const turn = withModel(turnOf(decided, answer, state), ledger);
    await finishTurn(runtime, decided, key, turn, ledger);
    return turn;
  } catch (error) {
    await giveBack(runtime, decided, key, ledger);
    throw error;
  }
}

async function respond(
  { models }: TurnRuntime,
  { message, conversation, decision }: DecidedMessage,
  ledger: ModelLedger,
): Promise<ModelAnswer> {
  const { bot, input, left, follower } = message;
  const responder = decision.kind === "allowed" ? bot.responderFor(decision.intent) : undefined;
  if (decision.kind === "allowed" && responder?.kind === "model") {
    const say = follower && ((text: string) => follower.said(text));
    const { turns } = conversation;
    return answerWithModel(models, {
      bot,
      intent: decision.intent,
      responder,
      turns,
      input,
      left,
      say,
      ledger,
    });
  }
  const answer = answerDecision(bot, decision, conversation.turns);
  follower?.said(answer.response);
  return { state: "complete", answer };
}

async function beginTurn({ store }: TurnRuntime, decided: DecidedMessage): Promise<TurnKey | undefined> {
  const { message, conversation, at } = decided;
  const { monthlyMessageCap, monthlyTokenBudget } = message.bot.document;
  const begun = await store.beginTurn({
    bot: message.bot.key,
    conversationId: conversation.id,
    turn: unansweredTurn(decided),
    ...(monthlyMessageCap !== undefined && { monthlyMessageCap }),
    ...(monthlyTokenBudget !== undefined && { monthlyTokenBudget }),
  });
  if (begun.outcome === "begun") return begun.key;
  if (begun.outcome === "bot_deleted") throw botNotFound();
  if (begun.outcome === "cap_reached") throw capExceeded("messages", at);
  if (isForModel(message.bot, decided.decision)) throw capExceeded("model tokens", at);
  return undefined;
}

/** Keyed answers that were cut will be asked for again: they are counted when they are there. */
async function finishTurn(
  { store }: TurnRuntime,
  { message }: DecidedMessage,
  key: TurnKey,
  turn: Turn,
  ledger: ModelLedger,
): Promise<void> {
  const { bot, idempotencyKey } = message;
  const isCut = turn.state === "cut";
  await store.finishTurn({
    key,
    bot: bot.key,
    turn,
    modelTokens: ledger.tokens,
    isCounted: !isCut || idempotencyKey === undefined,
    ...(idempotencyKey && !isCut && { idempotencyKey }),
  });
}

async function giveBack(
  { store, log }: TurnRuntime,
  decided: DecidedMessage,
  key: TurnKey,
  ledger: ModelLedger,
): Promise<void> {
  const turn = withModel(unansweredTurn(decided), ledger);
  const { requestId, bot } = decided.message;
  try {
    await store.finishTurn({ key, bot: bot.key, turn, modelTokens: ledger.tokens, isCounted: false });
  } catch (error) {
    log.error({ requestId, err: error }, "a message could not be given back; the next start does");
  }
}

function unansweredTurn(decided: DecidedMessage): Turn {
  const { metadata } = freeAnswer("");
  const capabilityAllowed = decided.decision.kind === "allowed";
  return turnOf(decided, { response: "", metadata: { ...metadata, capabilityAllowed } }, "unanswered");
}

function withModel(turn: Turn, { receipt: model }: ModelLedger): Turn {
  return { ...turn, receipt: { ...turn.receipt, ...(model && { model }) } };
}
