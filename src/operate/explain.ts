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
import { type ConversationHistory, isToPersonOf } from "../domain/conversation.ts";
import type { Decision, DecisionReceipt, IntentAssistance, ReadingScores } from "../domain/decision.ts";
import type { EpochMs } from "../domain/time.ts";
import type { SaidBefore } from "../governance/follow-up/follow-up.ts";
import { judgeMessage } from "../governance/judge-message.ts";
import {
  ENCODER_VERSION,
  EncoderThread,
  isEncoderOn,
  openIntentModel,
  openSentenceModel,
} from "../intent/classifier.ts";
import type { BotKey, TrainedModel } from "../store/interface/bots.ts";
import type { StoredTurn } from "../store/interface/conversations.ts";
import type { Bots, Conversations, Handoffs, Knowledge, ModelStore } from "../store/interface/store.ts";
import { findReasons, type Reasons } from "./reasons.ts";

/** Key of a bot that is only examined; nothing is stored under it. */
const UNSTORED = 0 as BotKey;

/** Where turns, bots and their models are kept. */
export interface ExplainStore extends ModelStore {
  knowledge: Pick<Knowledge, "generations" | "listPassageIds" | "readTerms" | "findPassages">;
  bots: Pick<Bots, "find" | "findVersion">;
  conversations: Pick<Conversations, "findTurnByRequest" | "listTurns">;
  handoffs: Pick<Handoffs, "historyOf">;
}

/** The decision for a message, made now. */
export interface MessageExplanation {
  decision: Decision;
  receipt: DecisionReceipt;
  reasons: Reasons;
  /** Titles of the passages considered, by id. */
  passages: Readonly<Record<number, string>>;
}

/** A stored turn with its replay. */
export interface Explanation {
  turn: StoredTurn;
  replayed: { decision: Decision; receipt: DecisionReceipt };
  /** Whether the replay has the same intent, reason and rule. */
  agrees: boolean;
  /** The earlier messages that it was read with are no longer stored, so the replay had to do without. */
  isContextGone: boolean;
  /** Of the replay. */
  reasons: Reasons;
  /** Titles of the passages considered in the replay, by id. */
  passages: Readonly<Record<number, string>>;
  /** Absent if the turn used no encoder, or the same one is available. */
  encoder?: EncoderNotAtHand;
}

/** The turn's encoder differs from this executable's, or encoding is off. */
export interface EncoderNotAtHand {
  /** Undefined: the receipt is from a version that did not record it. */
  used: string | undefined;
  /** Encoder of the replay; absent: by words alone. */
  replayedWith?: string;
}

/** A version of a bot with its model. */
export interface BotToExplain {
  document: BotDocument;
  /** Its documents. */
  knowledge: BotKnowledge;
  version: number;
  model: TrainedModel;
}

/** Decides a message as the first of a conversation, offline: nothing is stored and no model server is asked. */
export async function explainMessage(
  bot: BotToExplain,
  text: string,
  now: EpochMs,
): Promise<MessageExplanation> {
  const { decision, receipt, passages } = await decideText(bot, text, {
    conversation: { turns: [] },
    at: now,
    isUnderstood: true,
    isMeaningWeighed: true,
  });
  const reasons = findReasons(bot.document, bot.model.model, text, { decision, receipt });
  return { decision, receipt, reasons, passages };
}

/**
 * Replays a stored turn whose text was kept, offline, with the bot version that answered it. A model that is no longer stored is trained
 * again, which takes a few seconds at most. Texts are encoded by this executable's encoder; `encoder` tells if the turn used another.
 *
 * @returns undefined if no turn has this request id
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
  const conversation = await conversationBefore(store, turn);
  const { passages, ...replayed } = await decideText(bot, turn.input, {
    conversation,
    at: turn.at,
    ...(assistance && { assistance }),
    ...(turn.standalone !== undefined && { standalone: turn.standalone }),
    // A message that was not encoded originally is not encoded now.
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

/** How to replay a stored turn. */
export interface ExplainBy {
  /** Finds the version's model, or trains it. */
  findModel?: (document: BotDocument) => Promise<TrainedModel>;
  /** Absent: on this thread. */
  meaning?: FindMeaning;
}

/** How meanings are computed: on this thread, or on another if visitors share this one. */
export interface FindMeaning {
  judge: Judge;
  understand: Understand;
  vectors: () => SentenceVectors;
}

/** For a command, which may block its thread. */
function meaningBy(encoder: EncoderThread): FindMeaning {
  return {
    judge: (bot, text) => judgeMessage(text, bot.classifier, bot.policy),
    understand: understandBy(encoder),
    vectors: () => new SentenceVectors(encoder),
  };
}

/** Circumstances of a message in its conversation. */
interface Circumstances {
  conversation: Pick<ConversationHistory, "turns" | "handoffAt">;
  at: EpochMs;
  /** Results of model servers. */
  assistance?: IntentAssistance;
  /** The question as rewritten by a model. */
  standalone?: string;
  /** Whether meaning is used if the classifier is unsure. */
  isUnderstood: boolean;
  /** How meanings are computed. */
  meaning?: FindMeaning;
  /** Whether meaning is used if the document search is unsure. */
  isMeaningWeighed: boolean;
}

async function decideText(
  { document, version, model, knowledge }: BotToExplain,
  text: string,
  { conversation, at, assistance, standalone, isUnderstood, isMeaningWeighed, meaning }: Circumstances,
): Promise<Pick<MessageExplanation, "decision" | "receipt" | "passages">> {
  const { turns } = conversation;
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
  const planned = await planAction({ judge }, { message, conversation, at, decision: alone, judged });
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

async function conversationBefore(
  { conversations, handoffs }: ExplainStore,
  { conversationId, requestId, at }: StoredTurn,
): Promise<Circumstances["conversation"]> {
  const all = await conversations.listTurns(conversationId);
  const index = all.findIndex((turn) => turn.requestId === requestId);
  const turns = all.slice(0, index).map(({ metadata, ...turn }) => ({
    ...turn,
    capabilityAllowed: metadata.capabilityAllowed,
    ...isToPersonOf(turn.receipt),
    ...(turn.receipt.suggestions && { suggestions: turn.receipt.suggestions }),
  }));
  const people = await handoffs.historyOf(conversationId);
  const times = people.handoffs.flatMap(({ createdAt, updatedAt }) => [createdAt, updatedAt]);
  const past = times.filter((time) => time <= at);
  return { turns, ...(past.length > 0 && { handoffAt: Math.max(...past) }) };
}

/** The reading together with earlier messages. */
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
