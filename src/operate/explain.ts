import { LoadedBot } from "../bots/loaded-bot.ts";
import { getIntentModel, type ModelStore, type OnTraining } from "../bots/training.ts";
import { understandHere } from "../bots/understanding.ts";
import { withAssistance } from "../chat/turn/assist-decision.ts";
import { decideNextTurn } from "../chat/turn/decided-message.ts";
import { receiptOf } from "../chat/turn/decision-receipt.ts";
import type { BotDocument } from "../domain/bot.ts";
import type { PastTurn } from "../domain/conversation.ts";
import type { Decision, DecisionReceipt, IntentAssistance } from "../domain/decision.ts";
import type { EpochMs } from "../domain/time.ts";
import { judgeMessage } from "../governance/judge-message.ts";
import { openIntentModel, openSentenceModel } from "../intent/classifier.ts";
import type { BotKey, BotStore } from "../store/bots.ts";
import type { ConversationStore, StoredTurn } from "../store/conversations.ts";
import type { TrainedModel } from "../store/intent-models.ts";
import { findReasons, type Reasons } from "./reasons.ts";

/** Of a bot that is only looked at: nothing is stored under its key. */
const UNSTORED = 0 as BotKey;

/** Where turns, bots and their models are kept. */
interface ExplainStore extends ModelStore {
  bots: Pick<BotStore, "find" | "findVersion">;
  conversations: Pick<ConversationStore, "findTurnByRequest" | "listTurns">;
}

/** What a message leads to, decided now. */
export interface MessageExplanation {
  decision: Decision;
  receipt: DecisionReceipt;
  reasons: Reasons;
}

/** A stored turn, and what the same message leads to when it is decided again. */
export interface Explanation {
  turn: StoredTurn;
  replayed: { decision: Decision; receipt: DecisionReceipt };
  /** Whether the replay came to the same intent, reason and rule. */
  agrees: boolean;
  /** Of the replay. */
  reasons: Reasons;
}

/** A version of a bot, and what it classifies with. */
export interface BotToExplain {
  document: BotDocument;
  version: number;
  model: TrainedModel;
}

/** Decides a message as the first of a conversation, offline: nothing is stored, and no model server is asked. */
export function explainMessage(bot: BotToExplain, text: string, now: EpochMs): MessageExplanation {
  const { decision, receipt } = decideText(bot, text, { turns: [], at: now, isUnderstood: true });
  const reasons = findReasons(bot.document, bot.model.model, text, { decision, receipt });
  return { decision, receipt, reasons };
}

/**
 * Decides a stored turn whose text was kept again, offline, with the version of the bot that answered it. A version whose intent model is no
 * longer kept is trained again, which takes seconds at most.
 *
 * @returns undefined when no turn has this request id
 */
export async function explainTurn(
  store: ExplainStore,
  requestId: string,
  onTraining?: OnTraining,
): Promise<Explanation | undefined> {
  const turn = store.conversations.findTurnByRequest(requestId);
  const stored = turn && store.bots.find(turn.botId);
  const document = stored && store.bots.findVersion(stored.key, turn.botVersion);
  if (!document) return undefined;
  const model = await getIntentModel(store, document, onTraining);
  const bot = { document, version: turn.botVersion, model };
  const { assistance, understanding } = turn.receipt;
  const replayed = decideText(bot, turn.input, {
    turns: turnsBefore(store, turn),
    at: turn.at,
    ...(assistance && { assistance }),
    // A message that was not encoded then is not encoded now.
    isUnderstood: understanding === "used",
  });
  const reasons = findReasons(document, model.model, turn.input, replayed);
  return { turn, replayed, agrees: agrees(turn, replayed.decision), reasons };
}

/** What is known of the conversation that a message is part of. */
interface Circumstances {
  turns: readonly PastTurn[];
  at: EpochMs;
  /** What model servers said of it. */
  assistance?: IntentAssistance;
  /** Whether what it means is weighed, where the classifier is unsure. */
  isUnderstood: boolean;
}

function decideText(
  { document, version, model }: BotToExplain,
  text: string,
  { turns, at, assistance, isUnderstood }: Circumstances,
): { decision: Decision; receipt: DecisionReceipt } {
  const { model: bytes, sentences } = model;
  const classifier = openIntentModel(bytes);
  const bot = new LoadedBot(
    { key: UNSTORED, id: document.id, version, document },
    { getClassifier: () => classifier, findSentences: () => sentences && openSentenceModel(sentences) },
  );
  const plain = judgeMessage(text, bot.classifier, bot.policy);
  const understood = isUnderstood ? understandHere(bot, plain) : plain;
  const judged = withAssistance(understood, assistance, bot.policy);
  const decision = decideNextTurn(bot, judged, turns, at);
  return { decision, receipt: receiptOf(bot, judged, decision, {}) };
}

function turnsBefore({ conversations }: ExplainStore, { conversationId, requestId }: StoredTurn): PastTurn[] {
  const turns = conversations.listTurns(conversationId);
  const index = turns.findIndex((turn) => turn.requestId === requestId);
  return turns.slice(0, index).map(({ metadata, ...turn }) => ({
    ...turn,
    capabilityAllowed: metadata.capabilityAllowed,
    ...(turn.receipt.suggestions && { suggestions: turn.receipt.suggestions }),
  }));
}

function agrees(turn: StoredTurn, decision: Decision): boolean {
  const reason = decision.kind === "restricted" ? decision.reason : undefined;
  const { enforcementReason } = turn.metadata;
  const storedReason = enforcementReason === "schema_fallback" ? undefined : enforcementReason;
  return turn.intent === decision.intent && storedReason === reason && turn.receipt.rule === decision.rule;
}
