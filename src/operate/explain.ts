import { type BotKnowledge, knowledgeOf } from "../bots/bot-knowledge.ts";
import { SentenceVectors } from "../bots/sentence-vectors.ts";
import { getIntentModel } from "../bots/training.ts";
import { understandBy } from "../bots/understanding.ts";
import { receiptOf } from "../chat/turn/compose-turn.ts";
import type { BotDocument } from "../domain/bot.ts";
import type { Decision, DecisionReceipt, ReadingScores } from "../domain/decision.ts";
import type { EpochMs } from "../domain/time.ts";
import { judgeMessage } from "../governance/judge-message.ts";
import { ENCODER_VERSION, EncoderThread, isEncoderOn } from "../intent/classifier.ts";
import type { TrainedModel } from "../store/interface/bots.ts";
import type { StoredTurn } from "../store/interface/conversations.ts";
import type { Bots, Conversations, Knowledge, ModelStore } from "../store/interface/store.ts";
import {
  type ConversationStore,
  decideAgain,
  type DecidingAgain,
  type MessageInContext,
  type TurnInContext,
  turnsInContext,
} from "./decide-again.ts";
import { draftBot } from "./draft-bots.ts";
import { findReasons, type Reasons } from "./reasons.ts";

/** Where turns, bots and their models are kept. */
export interface ExplainStore extends ModelStore, ConversationStore {
  knowledge: Pick<Knowledge, "generations" | "listPassageIds" | "readTerms" | "findPassages">;
  bots: Pick<Bots, "find" | "findVersion">;
  conversations: Pick<Conversations, "findTurnByRequest" | "listTurns">;
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
  const { decision, receipt, passages } = await decideText(bot, {
    text,
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
  { findModel = (document) => getIntentModel(store, document), deciding }: ExplainBy = {},
): Promise<Explanation | undefined> {
  const turn = await store.conversations.findTurnByRequest(requestId);
  const stored = turn && (await store.bots.find(turn.botId));
  const document = stored && (await store.bots.findVersion(stored.key, turn.botVersion));
  if (!document) return undefined;
  const model = await findModel(document);
  const knowledge = await knowledgeOf(store, stored.key);
  const bot = { document, version: turn.botVersion, model, knowledge };
  const all = await turnsInContext(store, turn.conversationId);
  const inContext = all.find((one) => one.turn.requestId === requestId)!;
  const { passages, ...replayed } = await decideText(bot, asDecided(inContext), deciding);
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
  /** How the message is judged and encoded, if visitors share this thread; absent: on this thread. */
  deciding?: DecidingAgain;
}

/** For a command, which may block its thread. */
function onThisThread(encoder: EncoderThread): DecidingAgain {
  return {
    judge: (bot, text) => judgeMessage(text, bot.classifier, bot.policy),
    understand: understandBy(encoder),
    vectors: new SentenceVectors(encoder),
  };
}

/** A stored turn with the evidence that it was decided by: what was not encoded then is not encoded now. */
function asDecided({ turn, conversation }: TurnInContext): MessageInContext {
  const { input: text, at, standalone, receipt } = turn;
  const { assistance, understanding, knowledge } = receipt;
  return {
    text,
    conversation,
    at,
    ...(assistance && { assistance }),
    ...(standalone !== undefined && { standalone }),
    isUnderstood: understanding === "used",
    // A denial leaves no receipt of the documents, which were searched as the message was read.
    isMeaningWeighed: (knowledge === undefined ? understanding : knowledge.meaning) === "used",
  };
}

async function decideText(
  { document, version, model, knowledge }: BotToExplain,
  message: MessageInContext,
  deciding?: DecidingAgain,
): Promise<Pick<MessageExplanation, "decision" | "receipt" | "passages">> {
  using encoder = new EncoderThread({ work: "background" });
  const bot = draftBot(document, version, model, knowledge);
  const decided = await decideAgain(bot, message, deciding ?? onThisThread(encoder));
  return {
    decision: decided.decision,
    receipt: receiptOf(bot, decided, {}),
    passages: Object.fromEntries(decided.knowledge?.titles ?? []),
  };
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
