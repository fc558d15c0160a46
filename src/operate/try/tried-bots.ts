import { refuseLongInput } from "../../chat/admission/admit.ts";
import { isInDoubt } from "../../chat/turn/read-by-model.ts";
import type { BotDocument } from "../../domain/bot.ts";
import type { PastTurn } from "../../domain/conversation.ts";
import { type IntentName, KNOWLEDGE_INTENT } from "../../domain/ids.ts";
import type { TryRequest, TryResult } from "../../domain/operator/conversations.ts";
import { asksModels, knowledgeResponderFor } from "../../domain/responder.ts";
import { titleOf } from "../../knowledge/passage.ts";
import type { BotKey } from "../../store/interface/bots.ts";
import { findReasons } from "../reasons.ts";
import { decisionOf, outcomeOfTurn } from "../receipt/outcome.ts";
import { receiptViewOf } from "../receipt/receipt-view.ts";
import { type RehearsedTurn, withTurn } from "../rehearsal.ts";
import { withoutModels } from "../without-models.ts";
import { type BotToTry, type OpenBot, OpenBots, type OpeningParts } from "./open-bots.ts";

/** An operator's message, with the conversation it continues. */
export interface Trial extends Pick<TryRequest, "input" | "conversation" | "before" | "judgeOnly"> {
  /** Asking model servers costs money and time. */
  mayAskModels: boolean;
  /** Whether endpoints of actions are called; `dry` if only the decision is wanted. */
  calls: "made" | "dry";
}

/** Bots that operators try; messages are neither stored nor counted. */
export class TriedBots implements AsyncDisposable {
  readonly #open: OpenBots;
  readonly #conversations = new KeptConversations();

  constructor(parts: OpeningParts) {
    this.#open = new OpenBots(parts);
  }

  /**
   * Answers a message as the bot would, with model servers, or only reports the decision. An operator without permission to ask model
   * servers gets the bot's own answer and is told so.
   *
   * @throws ServiceError like POST /chat for a message that is too long, and after its checks; OVERLOADED @throws the signal's reason if it
   * aborts; then no further model is asked, and the message is not part of the conversation
   */
  async say(bot: BotToTry, trial: Trial, signal: AbortSignal): Promise<TryResult> {
    const { input } = trial;
    refuseLongInput(input, bot.document.maxInputLength);
    const turns = await this.#turnsBefore(bot, trial, signal);
    return trial.judgeOnly ? this.#judge(bot, turns, input, signal) : this.#answer(bot, turns, trial, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#open[Symbol.asyncDispose]();
  }

  #judge(bot: BotToTry, turns: readonly PastTurn[], input: string, signal: AbortSignal): Promise<TryResult> {
    return this.#open.use(bot, signal, async (open) => {
      const { turn, tookMs } = await sayTo(open, turns, input, { models: "not-asked", signal });
      const asked = wouldAsk(bot.document, turn);
      const result = await resultOf(open, bot.document, input, withAnswer(turn));
      return { ...result, tookMs, ...(asked.length > 0 && { wouldAsk: asked }) };
    });
  }

  #answer(
    { key, document }: BotToTry,
    turns: readonly PastTurn[],
    { input, mayAskModels, calls }: Trial,
    signal: AbortSignal,
  ): Promise<TryResult> {
    const isByItself = !mayAskModels && asksModels(document);
    const answering = { key, document: isByItself ? withoutModels(document) : document };
    return this.#open.use(answering, signal, async (open) => {
      const { turn, tookMs } = await sayTo(open, turns, input, { models: "asked", calls, signal });
      const conversation = turn.answer.conversationId;
      this.#conversations.keep(conversation, { bot: key, turns: withTurn(turns, turn.past) });
      const result = await resultOf(open, document, input, turn);
      return { ...(isByItself ? saidByItself(result) : result), tookMs, conversation };
    });
  }

  /** If a conversation is no longer cached, its messages are decided again. */
  async #turnsBefore(
    bot: BotToTry,
    { conversation, before = [] }: Trial,
    signal: AbortSignal,
  ): Promise<readonly PastTurn[]> {
    const kept = conversation === undefined ? undefined : this.#conversations.find(conversation, bot.key);
    if (kept !== undefined) return kept;
    if (before.length === 0) return [];
    const turns = await this.#open.use(bot, signal, (open) => judgeAll(open, before, signal));
    if (conversation !== undefined) this.#conversations.keep(conversation, { bot: bot.key, turns });
    return turns;
  }
}

async function sayTo(
  { rehearsal }: OpenBot,
  turns: readonly PastTurn[],
  input: string,
  asking: Parameters<OpenBot["rehearsal"]["sayAfter"]>[2],
): Promise<{ turn: RehearsedTurn; tookMs: number }> {
  const begun = performance.now();
  const turn = await rehearsal.sayAfter(turns, input, asking);
  return { turn, tookMs: performance.now() - begun };
}

/** If models were not asked, a turn that needs one counts as answered, without text. */
function withAnswer(turn: RehearsedTurn): RehearsedTurn {
  return { ...turn, past: { ...turn.past, state: "complete" } };
}

async function judgeAll(
  { rehearsal }: OpenBot,
  inputs: readonly string[],
  signal: AbortSignal,
): Promise<readonly PastTurn[]> {
  let turns: readonly PastTurn[] = [];
  for (const input of inputs) {
    const turn = await rehearsal.sayAfter(turns, input, { models: "not-asked", signal });
    turns = withTurn(turns, withAnswer(turn).past);
  }
  return turns;
}

function saidByItself<Result extends Pick<TryResult, "receipt">>(result: Result): Result {
  const advice =
    "No model server was asked, and visitors may get another answer: asking one takes the permission models.check.";
  return { ...result, receipt: { ...result.receipt, advice } };
}

async function resultOf(
  { model, knowledge }: OpenBot,
  document: BotDocument,
  input: string,
  { answer, receipt, past: { state, subject } }: RehearsedTurn,
): Promise<Omit<TryResult, "tookMs">> {
  const { response, intentDetected, metadata } = answer;
  const intent = intentDetected as IntentName | undefined;
  const facts = { metadata, receipt, state, ...(intent !== undefined && { intent }) };
  const reasons = findReasons(document, model.model, input, { decision: decisionOf(facts), receipt });
  const ids = (receipt.knowledge?.passages ?? []).map(({ id }) => id);
  const passages = await knowledge.readPassages(ids);
  const titles = Object.fromEntries(Array.from(passages, ([id, passage]) => [id, titleOf(passage)]));
  return {
    response,
    intent: intent ?? null,
    metadata,
    outcome: outcomeOfTurn(facts),
    receipt: receiptViewOf({
      ...facts,
      input,
      document,
      reasons,
      passages: titles,
      ...(subject && { subject }),
    }),
  };
}

/** Each operator's message adds an entry. Entries share earlier turns, so each takes some KB. */
const MAX_CONVERSATIONS = 200;

interface KeptConversation {
  bot: BotKey;
  turns: readonly PastTurn[];
}

/** Conversations of operators with bots, up to a maximum. Entries are immutable: continuing one creates another. */
export class KeptConversations {
  /** By id, least recently used first. */
  readonly #conversations = new Map<string, KeptConversation>();

  /** The turns of a conversation with this bot or a draft of it, oldest first. */
  find(id: string, bot: BotKey): readonly PastTurn[] | undefined {
    const found = this.#conversations.get(id);
    if (found?.bot !== bot) return undefined;
    this.#conversations.delete(id);
    this.#conversations.set(id, found);
    return found.turns;
  }

  keep(id: string, conversation: KeptConversation): void {
    this.#conversations.set(id, conversation);
    if (this.#conversations.size <= MAX_CONVERSATIONS) return;
    this.#conversations.delete(this.#conversations.keys().next().value!);
  }
}

/** The purposes for which model servers would be asked in a turn decided without them. Pure. */
function wouldAsk(document: BotDocument, turn: RehearsedTurn): NonNullable<TryResult["wouldAsk"]> {
  if (!turn.isForModels) return [];
  return [
    ...(asksAboutIntent(document, turn) ? (["intent"] as const) : []),
    ...(asksForWords(document, turn) ? (["answer"] as const) : []),
  ];
}

/** Embeddings are always requested; the judge only in doubt. Embeddings can create or remove that doubt. */
function asksAboutIntent({ classifier = {} }: BotDocument, { receipt }: RehearsedTurn): boolean {
  return classifier.embeddings !== undefined || isInDoubt(classifier, receipt);
}

/** Without a model, documents answer in their own sentences. */
function asksForWords(document: BotDocument, { answer, past, receipt }: RehearsedTurn): boolean {
  if (past.state === "unanswered") return true;
  const isFromDocuments = answer.intentDetected === KNOWLEDGE_INTENT && receipt.rule === "knowledge";
  return isFromDocuments && knowledgeResponderFor(document) !== undefined;
}
