import { type BotKnowledge, knowledgeOf } from "../../bots/bot-knowledge.ts";
import type { Judge } from "../../bots/judging-thread.ts";
import { orAborted } from "../../bots/training.ts";
import type { BotDocument } from "../../domain/bot.ts";
import { ServiceError } from "../../domain/errors.ts";
import { sha256 } from "../../domain/sha256.ts";
import type { EncoderThread } from "../../intent/classifier.ts";
import type { BotKey, TrainedModel } from "../../store/interface/bots.ts";
import type { Knowledge } from "../../store/interface/store.ts";
import type { DraftModels } from "../draft-bots.ts";
import type { OpenRehearsal, Rehearsal } from "../rehearsal.ts";

/** Most versions and drafts open at once. One with 40 intents of 12 examples takes 4 MB. */
const MAX_OPEN = 24;
/** Most idle ones kept open: opening one takes about 40 ms. */
const MAX_IDLE = 6;
/** Idle time after which one is closed. */
const IDLE_MS = 10 * 60_000;

/** The parts that opening bots uses. */
export interface OpeningParts {
  knowledge: Pick<Knowledge, "generations" | "listPassageIds" | "readTerms" | "findPassages">;
  models: Pick<DraftModels, "find">;
  encoder: Pick<EncoderThread, "encode">;
  judge: Judge;
  openRehearsal: OpenRehearsal;
}

/** A bot: its published version or a draft. */
export interface BotToTry {
  key: BotKey;
  document: BotDocument;
}

/** An open bot with its model and documents. */
export interface OpenBot {
  rehearsal: Rehearsal;
  model: TrainedModel;
  knowledge: BotKnowledge;
}

/** A bot that is open or opening. */
interface Opening {
  /** Aborts opening when the caller no longer waits. */
  readonly leaving: AbortController;
  /** Identifies the documents used. */
  readonly documents: string;
  readonly knowledge: Promise<BotKnowledge>;
  readonly bot: Promise<OpenBot>;
  isOpen: boolean;
  users: number;
  idle: ReturnType<typeof setTimeout> | undefined;
}

/** Keeps bots open for operators who try them. Turns do not wait for each other; the least recently used idle bot is closed first. */
export class OpenBots implements AsyncDisposable {
  readonly #parts: OpeningParts;
  /** By model and documents, least recently used first. */
  readonly #openings = new Map<string, Opening>();

  constructor(parts: OpeningParts) {
    this.#parts = parts;
  }

  /**
   * Runs work with a bot that stays open meanwhile.
   *
   * @throws the signal's reason if it aborts before the bot is open @throws ServiceError OVERLOADED if all open bots are in use
   */
  async use<Result>(
    { key, document }: BotToTry,
    signal: AbortSignal,
    work: (bot: OpenBot) => Promise<Result>,
  ): Promise<Result> {
    const documents = `${key} ${(await this.#parts.knowledge.generations()).get(key)}`;
    signal.throwIfAborted();
    const name = sha256(JSON.stringify([documents, document])).toString("base64url");
    const opening = this.#openings.get(name) ?? this.#begin({ key, document }, documents);
    this.#openings.delete(name);
    this.#openings.set(name, opening);
    clearTimeout(opening.idle);
    opening.users += 1;
    try {
      return await work(await orAborted(opening.bot, signal));
    } finally {
      opening.users -= 1;
      if (opening.users === 0) this.#rest(name, opening);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#openings.entries().map(([name, opening]) => this.#close(name, opening)));
  }

  #begin(bot: BotToTry, documents: string): Opening {
    this.#makeRoom();
    const leaving = new AbortController();
    const same = this.#openings.values().find((other) => other.documents === documents);
    const knowledge = same?.knowledge ?? knowledgeOf({ knowledge: this.#parts.knowledge }, bot.key);
    const opening: Opening = {
      leaving,
      documents,
      knowledge,
      bot: this.#open(bot.document, knowledge, leaving.signal).then((open) => {
        opening.isOpen = true;
        return open;
      }),
      isOpen: false,
      users: 0,
      idle: undefined,
    };
    return opening;
  }

  async #open(document: BotDocument, reading: Promise<BotKnowledge>, signal: AbortSignal): Promise<OpenBot> {
    const { models, openRehearsal, encoder, judge } = this.#parts;
    const knowledge = await reading;
    const model = await models.find(document, undefined, signal);
    const rehearsal = await openRehearsal(document, model, { knowledge, encoder, judge });
    return { rehearsal, model, knowledge };
  }

  /** Keeps an idle bot for a while; one that failed to open, or was aborted, is removed. */
  #rest(name: string, opening: Opening): void {
    if (!opening.isOpen) return void this.#close(name, opening);
    opening.idle = setTimeout(() => void this.#close(name, opening), IDLE_MS).unref();
    const idle = this.#idle();
    if (idle.length > MAX_IDLE) void this.#close(...idle[0]!);
  }

  #makeRoom(): void {
    if (this.#openings.size < MAX_OPEN) return;
    const [idle] = this.#idle();
    if (idle === undefined) throw tooMany();
    void this.#close(...idle);
  }

  /** Idle bots, least recently used first. */
  #idle(): [string, Opening][] {
    return [...this.#openings].filter(([, { users }]) => users === 0);
  }

  async #close(name: string, opening: Opening): Promise<void> {
    if (this.#openings.get(name) === opening) this.#openings.delete(name);
    clearTimeout(opening.idle);
    opening.leaving.abort();
    // If opening failed, its users got the error and there is nothing to close.
    const open = await opening.bot.catch(() => undefined);
    await open?.rehearsal[Symbol.asyncDispose]();
  }
}

function tooMany(): ServiceError {
  return new ServiceError("OVERLOADED", "Too many bots are being tried at once; try again shortly.", {
    headers: { "Retry-After": "2" },
  });
}
