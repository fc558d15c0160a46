import { LoadedBot } from "../bots/loaded-bot.ts";
import { getIntentModel, type ModelStore, type OnTraining } from "../bots/training.ts";
import { understandHere } from "../bots/understanding.ts";
import { withAssistance } from "../chat/turn/assist-decision.ts";
import { decideNextTurn } from "../chat/turn/decided-message.ts";
import { receiptOf } from "../chat/turn/decision-receipt.ts";
import type { PastTurn } from "../domain/conversation.ts";
import type { Decision, DecisionReceipt } from "../domain/decision.ts";
import { judgeMessage } from "../governance/judge-message.ts";
import type { JudgedMessage } from "../governance/judged-message.ts";
import { openSentenceModel } from "../intent/classifier.ts";
import type { BotStore } from "../store/bots.ts";
import type { ConversationStore, StoredTurn } from "../store/conversations.ts";

/** Where turns, bots and their models are kept. */
interface ExplainStore extends ModelStore {
  bots: Pick<BotStore, "find" | "findVersion">;
  conversations: Pick<ConversationStore, "findTurnByRequest" | "listTurns">;
}

/** A stored turn, and what the same message leads to when it is decided again. */
export interface Explanation {
  turn: StoredTurn;
  replayed: { decision: Decision; receipt: DecisionReceipt };
  /** Whether the replay came to the same intent, reason and rule. */
  agrees: boolean;
}

/**
 * Decides a stored turn again, offline, with the version of the bot that answered it. A version whose intent model is no
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
  const { model, sentences } = await getIntentModel(store, document, onTraining);
  const bot = new LoadedBot(
    { ...stored, version: turn.botVersion, document },
    { open: () => model, findSentences: () => sentences && openSentenceModel(sentences) },
  );
  const judged = judgeAgain(bot, turn);
  const decision = decideNextTurn(bot, judged, turnsBefore(store, turn), turn.at);
  const receipt = receiptOf(bot, judged, decision, {});
  return { turn, replayed: { decision, receipt }, agrees: agrees(turn, decision) };
}

/** With what the turn was judged by: a message that was not encoded then is not encoded now. */
function judgeAgain(bot: LoadedBot, { input, receipt }: StoredTurn): JudgedMessage {
  const plain = judgeMessage(input, bot.classifier, bot.policy);
  const understood = receipt.understanding === "used" ? understandHere(bot, plain) : plain;
  return withAssistance(understood, receipt.assistance, bot.policy);
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
