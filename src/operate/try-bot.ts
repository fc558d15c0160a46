import { type BotKnowledge, knowledgeOf } from "../bots/bot-knowledge.ts";
import { refuseLongInput } from "../chat/admission/admit-to-bot.ts";
import type { BotDocument } from "../domain/bot.ts";
import type { IntentName } from "../domain/ids.ts";
import type { TryResult } from "../domain/operator/conversations.ts";
import { sha256 } from "../domain/sha256.ts";
import type { EncoderThread } from "../intent/classifier.ts";
import { titleOf } from "../knowledge/passage.ts";
import type { BotKey, TrainedModel } from "../store/interface/bots.ts";
import type { Knowledge } from "../store/interface/knowledge.ts";
import type { DraftModels } from "./draft-models.ts";
import { OneAtATime } from "./one-at-a-time.ts";
import { findReasons } from "./reasons.ts";
import { decisionOf, outcomeOfTurn } from "./receipt/outcome.ts";
import { receiptViewOf } from "./receipt/receipt-view.ts";
import type { OpenRehearsal, RehearsedTurn, Rehearsal } from "./rehearsal.ts";

/** Bots that are kept open: the draft and the published version of one that is being worked on, and those before. */
const MOST_OPEN = 4;
/** One that nobody has talked to for so long is closed. */
const IDLE_MS = 10 * 60_000;
/** Conversations of a bot that may be gone on with. */
const MOST_CONVERSATIONS = 100;

/** The parts that trying a bot uses. */
export interface TryParts {
  knowledge: Pick<Knowledge, "generations" | "listPassageIds" | "readTerms" | "findPassages">;
  models: Pick<DraftModels, "find">;
  encoder: Pick<EncoderThread, "encode">;
  openRehearsal: OpenRehearsal;
}

/** A bot, as it is or as a draft has it. */
export interface BotToTry {
  key: BotKey;
  document: BotDocument;
}

interface OpenBot {
  rehearsal: Rehearsal;
  model: TrainedModel;
  knowledge: BotKnowledge;
  /** Conversations by the hash of what was said in them. */
  conversations: Map<string, string>;
  idle: ReturnType<typeof setTimeout>;
}

/** Bots that operators talk to: what is said is neither stored nor counted. */
export class TriedBots implements AsyncDisposable {
  readonly #parts: TryParts;
  /** One after another: a bot may be closed to make room only while nobody talks to it. */
  readonly #turns = new OneAtATime();
  readonly #open = new Map<string, OpenBot>();

  constructor(parts: TryParts) {
    this.#parts = parts;
  }

  /**
   * Answers a message as the bot would, model servers included.
   *
   * @param before what was said before, oldest first. It is said again where the conversation that it stands in is no longer there.
   * @throws ServiceError as POST /chat does for a message that is too long, and after its checks
   */
  async say(
    bot: BotToTry,
    before: readonly string[],
    input: string,
    signal: AbortSignal,
  ): Promise<TryResult> {
    refuseLongInput(input, bot.document.maxInputLength);
    return this.#turns.run(async () => {
      const open = await this.#find(bot, signal);
      const conversation = await this.#conversationOf(open, before, signal);
      const begun = performance.now();
      const turn = await open.rehearsal.sayIn(conversation, input);
      const tookMs = performance.now() - begun;
      remember(open, [...before, input], turn);
      return { ...(await resultOf(open, bot.document, input, turn)), tookMs };
    }, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#open.keys()].map((key) => this.#close(key)));
  }

  async #find({ key, document }: BotToTry, signal: AbortSignal): Promise<OpenBot> {
    const generation = (await this.#parts.knowledge.generations()).get(key);
    const name = sha256(JSON.stringify([key, generation, document])).toString("base64url");
    const open = this.#open.get(name) ?? (await this.#openBot(key, document, signal));
    clearTimeout(open.idle);
    open.idle = setTimeout(() => void this.#turns.run(() => this.#close(name)), IDLE_MS).unref();
    this.#open.delete(name);
    this.#open.set(name, open);
    if (this.#open.size > MOST_OPEN) await this.#close(this.#open.keys().next().value!);
    return open;
  }

  async #openBot(key: BotKey, document: BotDocument, signal: AbortSignal): Promise<OpenBot> {
    const { models, openRehearsal, encoder } = this.#parts;
    const model = await models.find(document, undefined, signal);
    const knowledge = await knowledgeOf({ knowledge: this.#parts.knowledge }, key);
    const rehearsal = await openRehearsal(document, model, { knowledge, encoder });
    return { rehearsal, model, knowledge, conversations: new Map(), idle: setTimeout(() => {}, 0) };
  }

  async #conversationOf(
    open: OpenBot,
    before: readonly string[],
    signal: AbortSignal,
  ): Promise<string | undefined> {
    if (before.length === 0) return undefined;
    const known = open.conversations.get(nameOf(before));
    if (known !== undefined) {
      // It goes on now, and what stands in it is no longer what stood before.
      open.conversations.delete(nameOf(before));
      return known;
    }
    let conversation: string | undefined;
    for (const input of before) {
      signal.throwIfAborted();
      conversation = (await open.rehearsal.sayIn(conversation, input)).answer.conversationId;
    }
    return conversation;
  }

  async #close(name: string): Promise<void> {
    const open = this.#open.get(name);
    if (!open) return;
    this.#open.delete(name);
    clearTimeout(open.idle);
    await open.rehearsal[Symbol.asyncDispose]();
  }
}

function remember({ conversations }: OpenBot, said: readonly string[], { answer }: RehearsedTurn): void {
  conversations.set(nameOf(said), answer.conversationId);
  if (conversations.size > MOST_CONVERSATIONS) conversations.delete(conversations.keys().next().value!);
}

/** Short, however much was said: many of them are kept. */
function nameOf(said: readonly string[]): string {
  return sha256(JSON.stringify(said)).toString("base64url");
}

async function resultOf(
  { model, knowledge }: OpenBot,
  document: BotDocument,
  input: string,
  { answer, receipt }: RehearsedTurn,
): Promise<Omit<TryResult, "tookMs">> {
  const { response, intentDetected, metadata } = answer;
  const intent = intentDetected as IntentName | undefined;
  const facts = { metadata, receipt, ...(intent !== undefined && { intent }) };
  const reasons = findReasons(document, model.model, input, { decision: decisionOf(facts), receipt });
  const ids = (receipt.knowledge?.passages ?? []).map(({ id }) => id);
  const passages = await knowledge.readPassages(ids);
  const titles = Object.fromEntries(Array.from(passages, ([id, passage]) => [id, titleOf(passage)]));
  return {
    response,
    intent: intent ?? null,
    metadata,
    outcome: outcomeOfTurn(facts),
    receipt: receiptViewOf({ ...facts, input, document, reasons, passages: titles }),
  };
}
