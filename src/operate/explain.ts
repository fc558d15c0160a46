import { type BotKnowledge, knowledgeOf } from "../bots/bot-knowledge.ts";
import type { Judge } from "../bots/judging-thread.ts";
import { LoadedBot } from "../bots/loaded-bot.ts";
import { SentenceVectors } from "../bots/sentence-vectors.ts";
import { getIntentModel } from "../bots/training.ts";
import { type Understand, understandBy } from "../bots/understanding.ts";
import { withAssistance } from "../chat/turn/assist-decision.ts";
import { decideTurn } from "../chat/turn/decide-turn.ts";
import { receiptOf } from "../chat/turn/decision-receipt.ts";
import { planAction } from "../chat/turn/plan-action.ts";
import { saidBefore } from "../chat/turn/said-before.ts";
import type { BotDocument } from "../domain/bot.ts";
import type { PastTurn } from "../domain/conversation.ts";
import type { Decision, DecisionReceipt, IntentAssistance, ReadingScores } from "../domain/decision.ts";
import type { EpochMs } from "../domain/time.ts";
import type { SaidBefore } from "../governance/follow-up/said-before.ts";
import { judgeMessage } from "../governance/judge-message.ts";
import {
  ENCODER_VERSION,
  EncoderThread,
  isEncoderOn,
  openIntentModel,
  openSentenceModel,
} from "../intent/classifier.ts";
import type { BotKey, Bots, TrainedModel } from "../store/interface/bots.ts";
import type { Conversations, StoredTurn } from "../store/interface/conversations.ts";
import type { Knowledge } from "../store/interface/knowledge.ts";
import type { ModelStore } from "../store/interface/store.ts";
import { findReasons, type Reasons } from "./reasons.ts";

/** Of a bot that is only looked at: nothing is stored under its key. */
const UNSTORED = 0 as BotKey;

/** Where turns, bots and their models are kept. */
export interface ExplainStore extends ModelStore {
  knowledge: Pick<Knowledge, "generations" | "listPassageIds" | "readTerms" | "findPassages">;
  bots: Pick<Bots, "find" | "findVersion">;
  conversations: Pick<Conversations, "findTurnByRequest" | "listTurns">;
}

/** What a message leads to, decided now. */
export interface MessageExplanation {
  decision: Decision;
  receipt: DecisionReceipt;
  reasons: Reasons;
  /** What the passages that were looked at are called, by id. */
  passages: Readonly<Record<number, string>>;
}

/** A stored turn, and what the same message leads to when it is decided again. */
export interface Explanation {
  turn: StoredTurn;
  replayed: { decision: Decision; receipt: DecisionReceipt };
  /** Whether the replay came to the same intent, reason and rule. */
  agrees: boolean;
  /** What was said before it, which it was read with then, is not kept any more: the replay had to do without. */
  isContextGone: boolean;
  /** Of the replay. */
  reasons: Reasons;
  /** Of the replay: what the passages that were looked at are called, by id. */
  passages: Readonly<Record<number, string>>;
  /** Absent where the encoder that had a part in the turn is at hand, or none had. */
  encoder?: EncoderNotAtHand;
}

/** The encoder that had a part in a turn is not this executable's, or this one encodes nothing. */
export interface EncoderNotAtHand {
  /** Undefined: from before receipts named it. */
  used: string | undefined;
  /** With which the turn was decided again; absent: by words alone. */
  replayedWith?: string;
}

/** A version of a bot, and what it classifies with. */
export interface BotToExplain {
  document: BotDocument;
  /** What it answers from where no intent does. */
  knowledge: BotKnowledge;
  version: number;
  model: TrainedModel;
}

/** Decides a message as the first of a conversation, offline: nothing is stored, and no model server is asked. */
export async function explainMessage(
  bot: BotToExplain,
  text: string,
  now: EpochMs,
): Promise<MessageExplanation> {
  const { decision, receipt, passages } = await decideText(bot, text, {
    turns: [],
    at: now,
    isUnderstood: true,
    isMeaningWeighed: true,
  });
  const reasons = findReasons(bot.document, bot.model.model, text, { decision, receipt });
  return { decision, receipt, reasons, passages };
}

/**
 * Decides a stored turn whose text was kept again, offline, with the version of the bot that answered it. A version whose intent model is no
 * longer kept is trained again, which takes seconds at most. What it means is said by the encoder of this executable: `encoder` tells where
 * another one had a part in the turn.
 *
 * @returns undefined when no turn has this request id
 */
export async function explainTurn(
  store: ExplainStore,
  requestId: string,
  { findModel = (document) => getIntentModel(store, document), meaning }: ExplainBy = {},
): Promise<Explanation | undefined> {
  const turn = await store.conversations.findTurnByRequest(requestId);
  const stored = turn && (await store.bots.find(turn.botId));
  const document = stored && (await store.bots.findVersion(stored.key, turn.botVersion));
  if (!document) return undefined;
  const model = await findModel(document);
  const knowledge = await knowledgeOf(store, stored.key);
  const bot = { document, version: turn.botVersion, model, knowledge };
  const { assistance, understanding } = turn.receipt;
  const turns = await turnsBefore(store, turn);
  const { passages, ...replayed } = await decideText(bot, turn.input, {
    turns,
    at: turn.at,
    ...(assistance && { assistance }),
    ...(turn.standalone !== undefined && { standalone: turn.standalone }),
    // A message that was not encoded then is not encoded now.
    isUnderstood: understanding === "used",
    ...(meaning && { meaning }),
    isMeaningWeighed: turn.receipt.knowledge?.meaning === "used",
  });
  const reasons = findReasons(document, model.model, turn.input, replayed);
  const encoder = encoderNotAtHand(turn.receipt);
  return {
    turn,
    replayed,
    agrees: agrees(turn, replayed.decision),
    isContextGone: isMissing(contextOf(turn.receipt), contextOf(replayed.receipt)),
    reasons,
    passages,
    ...(encoder && { encoder }),
  };
}

function encoderNotAtHand({
  encoder: used,
  understanding,
  assistance,
  knowledge,
}: DecisionReceipt): EncoderNotAtHand | undefined {
  if (![understanding, assistance?.understanding, knowledge?.meaning].includes("used")) return undefined;
  if (!isEncoderOn()) return { used };
  return used === ENCODER_VERSION ? undefined : { used, replayedWith: ENCODER_VERSION };
}

/** How a stored turn is decided again. */
export interface ExplainBy {
  /** What that version of the bot classifies with; trained where it is no longer kept. */
  findModel?: (document: BotDocument) => Promise<TrainedModel>;
  /** Absent: here. */
  meaning?: FindMeaning;
}

/** How a message is judged and what it means is found: on this thread, or on another where visitors wait for this one. */
export interface FindMeaning {
  judge: Judge;
  understand: Understand;
  vectors: () => SentenceVectors;
}

/** For a command, which has nothing else to do meanwhile. */
function meaningBy(encoder: EncoderThread): FindMeaning {
  return {
    judge: (bot, text) => judgeMessage(text, bot.classifier, bot.policy),
    understand: understandBy(encoder),
    vectors: () => new SentenceVectors(encoder),
  };
}

/** What is known of the conversation that a message is part of. */
interface Circumstances {
  turns: readonly PastTurn[];
  at: EpochMs;
  /** What model servers said of it. */
  assistance?: IntentAssistance;
  /** The question that a model made of it. */
  standalone?: string;
  /** Whether what it means is weighed, where the classifier is unsure. */
  isUnderstood: boolean;
  /** Where meaning is found. */
  meaning?: FindMeaning;
  /** The same, where documents are asked and their words are unsure. */
  isMeaningWeighed: boolean;
}

async function decideText(
  { document, version, model, knowledge }: BotToExplain,
  text: string,
  { turns, at, assistance, standalone, isUnderstood, isMeaningWeighed, meaning }: Circumstances,
): Promise<Pick<MessageExplanation, "decision" | "receipt" | "passages">> {
  using encoder = new EncoderThread({ work: "background" });
  const { judge, understand, vectors } = meaning ?? meaningBy(encoder);
  const { model: bytes, sentences } = model;
  const bot = new LoadedBot(
    { key: UNSTORED, id: document.id, version, document },
    { classifier: openIntentModel(bytes), findSentences: () => undefined },
    knowledge,
  );
  const { classifier, policy } = bot;
  const understanding = {
    classifier,
    policy,
    sentences: sentences && openSentenceModel(sentences),
    hasDocuments: knowledge.isThere(),
  };
  const read = async (said: string, isEncoded: boolean, before?: SaidBefore) => {
    const plain = await judge(bot, said);
    return isEncoded ? understand(understanding, plain, before) : plain;
  };
  const understood = await read(text, isUnderstood, saidBefore(turns, at, policy.social));
  const question =
    standalone === undefined ? undefined : await read(standalone, assistance?.understanding === "used");
  const judged = withAssistance(understood, assistance, bot, question);
  const {
    decision: alone,
    knowledge: consulted,
    candidates,
  } = await decideTurn(
    { bot, vectors: isMeaningWeighed ? vectors() : undefined, onFailure: rethrow },
    judged,
    turns,
    at,
  );
  const message = { bot, input: text };
  const planned = await planAction(
    { judge },
    { message, conversation: { turns }, at, decision: alone, judged },
  );
  const { decision } = planned;
  const receipt = receiptOf(bot, judged, decision, {});
  return {
    decision,
    receipt: {
      ...receipt,
      ...(consulted && { knowledge: consulted.receipt }),
      ...(candidates && { candidates: [...candidates] }),
    },
    passages: Object.fromEntries(consulted?.titles ?? []),
  };
}

function rethrow(error: unknown): never {
  throw error;
}

async function turnsBefore(
  { conversations }: ExplainStore,
  { conversationId, requestId }: StoredTurn,
): Promise<PastTurn[]> {
  const turns = await conversations.listTurns(conversationId);
  const index = turns.findIndex((turn) => turn.requestId === requestId);
  return turns.slice(0, index).map(({ metadata, ...turn }) => ({
    ...turn,
    capabilityAllowed: metadata.capabilityAllowed,
    ...(turn.receipt.suggestions && { suggestions: turn.receipt.suggestions }),
  }));
}

/** The reading with what was said before. */
function contextOf({ readings }: DecisionReceipt): ReadingScores | undefined {
  return readings.find(({ reading }) => reading === "in-context");
}

function isMissing(then: ReadingScores | undefined, now: ReadingScores | undefined): boolean {
  return then !== undefined && (now === undefined || (then.about !== undefined && now.about === undefined));
}

function agrees(turn: StoredTurn, decision: Decision): boolean {
  const reason = decision.kind === "restricted" ? decision.reason : undefined;
  const { enforcementReason } = turn.metadata;
  const storedReason = enforcementReason === "schema_fallback" ? undefined : enforcementReason;
  return turn.intent === decision.intent && storedReason === reason && turn.receipt.rule === decision.rule;
}
