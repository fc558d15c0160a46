import type { Logger } from "pino";

import type { BotDocument } from "../domain/bot.ts";
import { othersTurn } from "../domain/waiting.ts";
import {
  ENCODER_VERSION,
  EncoderThread,
  packTextVectors,
  textsToEncode,
  TrainingThread,
} from "../intent/classifier.ts";
import { textsOfPassage } from "../knowledge/passage-texts.ts";
import type { Passage } from "../knowledge/passage.ts";
import type { Metrics } from "../metrics.ts";
import type { BotHead, BotKey } from "../store/interface/bots.ts";
import type { Knowledge, Store } from "../store/interface/store.ts";
import { languageOfBot } from "../texts/bot-wording.ts";
import type { BotRegistry } from "./registry.ts";
import { examplesOf } from "./training.ts";

interface EncodeBehindParts {
  store: Pick<Store, "vectors" | "health"> & {
    knowledge: Pick<Knowledge, "generations" | "listPassageIds" | "findPassages">;
  };
  bots: Pick<BotRegistry, "heads" | "readDocument">;
  log: Pick<Logger, "info" | "error">;
  metrics: Pick<Metrics, "encoderUnready">;
  /** Default: the process's encoding thread, in the background queue. */
  encoder?: Pick<EncoderThread, "encode">;
  /** Like `Math.random`. */
  random: () => number;
  /** Delay after a failure, in milliseconds. */
  retryMs?: number;
}

const RETRY_MS = 60_000;
/** Interval of progress lines in the log. */
const PROGRESS_MS = 30_000;
/** Passages looked up at a time, which takes SQLite some milliseconds. */
const LOOKED_FOR = 1000;
/** Passages read, encoded and stored at a time; if a server ends, it loses some seconds of encoding. */
const STORED_AT_ONCE = 20;

/** A bot with texts to encode. */
interface OpenBot {
  head: BotHead;
  /** Whether its examples must be encoded. */
  hasExamples: boolean;
  /** Ids of the passages to encode. */
  passages: number[];
}

/**
 * Encodes examples and passages without vectors of this encoder: new documents, and all texts after an upgrade with another encoder. In the
 * background, one text after another. Servers on one store start at different places, and each stores its vectors for all.
 */
export class EncodeBehind implements AsyncDisposable {
  readonly #parts: EncodeBehindParts;
  readonly #thread = new EncoderThread({ work: "background" });
  readonly #encoder: Pick<EncoderThread, "encode">;
  /** The generation of each bot's documents at which all passages were encoded. */
  readonly #complete = new Map<BotKey, number>();
  #isStale = false;
  #isStopped = false;
  #running: Promise<void> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  /** Error of the latest attempt, so that a lasting one is logged once. */
  #fault: string | undefined;

  constructor(parts: EncodeBehindParts) {
    this.#parts = parts;
    this.#encoder = parts.encoder ?? this.#thread;
  }

  /** Starts a search for texts to encode, because bots or documents have changed. */
  nudge(): void {
    if (this.#isStopped) return;
    this.#isStale = true;
    clearTimeout(this.#retry);
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      // There were changes after the last search.
      if (this.#isStale) this.nudge();
    });
  }

  /** Resolves when everything is encoded, or an attempt has failed. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#retry);
    this.#thread[Symbol.dispose]();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { log, store } = this.#parts;
    try {
      while (this.#isStale && !this.#isStopped) {
        this.#isStale = false;
        await this.#encodeAll();
      }
      this.#fault = undefined;
    } catch (error) {
      // A storage failure has been logged already.
      if (this.#isStopped || store.health.failure) return;
      const fault = error instanceof Error ? error.message : String(error);
      if (fault !== this.#fault)
        log.error(
          { err: error },
          "not all examples and passages were encoded: words alone decide where they are missing; tried again every minute",
        );
      this.#fault = fault;
      this.#retry = setTimeout(() => this.nudge(), this.#parts.retryMs ?? RETRY_MS);
    }
  }

  /** @throws the first error, after everything else was encoded. */
  async #encodeAll(): Promise<void> {
    const { log, bots, store } = this.#parts;
    const generations = await store.knowledge.generations();
    const heads = [...bots.heads()];
    const open = await this.#findOpen(heads, generations);
    const progress = new Progress(this.#parts, open);
    if (open.length > 0) {
      const startedAt = performance.now();
      log.info(
        { ...progress.left, encoder: ENCODER_VERSION },
        "encoding examples and passages; until they are ready, words alone decide",
      );
      // Examples first: more messages need them.
      const errors = [
        ...(await eachOf(open, (bot) => this.#encodeExamples(bot, progress))),
        ...(await eachOf(open, (bot) => this.#encodePassages(bot, progress))),
      ];
      if (errors.length > 0) throw errors[0];
      const milliseconds = Math.round(performance.now() - startedAt);
      if (!this.#isStopped) log.info({ milliseconds }, "examples and passages are encoded");
    }
    if (this.#isStopped) return;
    for (const { key } of heads) {
      const generation = generations.get(key);
      if (generation !== undefined) this.#complete.set(key, generation);
    }
  }

  /** Servers that start at the same time begin at different bots. */
  async #findOpen(heads: readonly BotHead[], generations: ReadonlyMap<BotKey, number>): Promise<OpenBot[]> {
    const { store } = this.#parts;
    const models = new Set(heads.flatMap(({ intentModelId }) => intentModelId ?? []));
    const unencoded = new Set(await store.vectors.listUnencodedModels([...models], ENCODER_VERSION));
    const open: OpenBot[] = [];
    for (const head of this.#rotated(heads)) {
      const generation = generations.get(head.key);
      const isComplete = generation === undefined || this.#complete.get(head.key) === generation;
      const passages = isComplete ? [] : await this.#findPassages(head);
      // Bots of the same intents share a model.
      const hasExamples = unencoded.delete(head.intentModelId ?? "");
      if (hasExamples || passages.length > 0) open.push({ head, hasExamples, passages });
    }
    return open;
  }

  async #findPassages({ key }: BotHead): Promise<number[]> {
    const { knowledge, vectors } = this.#parts.store;
    const ids = await knowledge.listPassageIds(key);
    const unencoded: number[] = [];
    for (let from = 0; from < ids.length && !this.#isStopped; from += LOOKED_FOR) {
      const some = ids.slice(from, from + LOOKED_FOR);
      unencoded.push(...(await vectors.listUnencodedPassages(some, ENCODER_VERSION)));
      await othersTurn();
    }
    return this.#rotated(unencoded);
  }

  /** The same items, starting at a random one. */
  #rotated<Item>(items: readonly Item[]): Item[] {
    const first = Math.floor(this.#parts.random() * items.length);
    return [...items.slice(first), ...items.slice(0, first)];
  }

  async #encodeExamples({ head, hasExamples }: OpenBot, progress: Progress): Promise<void> {
    const { bots, store } = this.#parts;
    const { intentModelId } = head;
    if (!hasExamples || intentModelId === undefined || this.#isStopped) return;
    const document = await bots.readDocument(head);
    const isOpen = await store.vectors.listUnencodedModels([intentModelId], ENCODER_VERSION);
    if (document && isOpen.length > 0) {
      const sentences = await this.#fitSentences(document);
      await store.vectors.saveSentenceModel(intentModelId, ENCODER_VERSION, sentences);
    }
    progress.take({ bots: 1, passages: 0 });
  }

  async #fitSentences(document: BotDocument): Promise<Uint8Array> {
    const examples = examplesOf(document);
    if (textsToEncode(examples).length === 0) return new Uint8Array();
    using thread = new TrainingThread({ encoder: this.#encoder });
    const sentences = await thread.fitSentences(examples);
    if (sentences === undefined) throw new Error(CANNOT_ENCODE);
    return sentences;
  }

  async #encodePassages({ head, passages }: OpenBot, progress: Progress): Promise<void> {
    const { bots, store } = this.#parts;
    if (passages.length === 0) return;
    const document = await bots.readDocument(head);
    if (!document) return;
    const language = document.language ?? languageOfBot(document);
    for (let from = 0; from < passages.length && !this.#isStopped; from += STORED_AT_ONCE) {
      const some = passages.slice(from, from + STORED_AT_ONCE);
      const open = await store.vectors.listUnencodedPassages(some, ENCODER_VERSION);
      const read = await store.knowledge.findPassages(open);
      await store.vectors.savePassageVectors(await this.#encode(read, language), ENCODER_VERSION);
      progress.take({ bots: 0, passages: some.length });
    }
  }

  /** Passages of one document share headings. */
  async #encode(
    passages: ReadonlyMap<number, Passage>,
    language: string,
  ): Promise<ReadonlyMap<number, Uint8Array>> {
    const known = new Map<string, Float32Array>();
    const packed = new Map<number, Uint8Array>();
    for (const [id, passage] of passages) {
      const vectors = new Map<string, Float32Array>();
      const { whole, sentences } = textsOfPassage(passage, language);
      for (const text of [...whole, ...sentences].filter((each) => each.trim() !== "")) {
        const vector = known.get(text) ?? (await this.#encoder.encode({ form: "passage", text }));
        if (vector === undefined) throw new Error(CANNOT_ENCODE);
        known.set(text, vector);
        vectors.set(text, vector);
      }
      packed.set(id, packTextVectors(vectors));
    }
    return packed;
  }
}

const CANNOT_ENCODE =
  "this machine cannot encode texts: its processor, or the runtime, has no SIMD; `--encoder off` does without";

/** Progress of encoding, for the metric and the log. */
class Progress {
  readonly #parts: Pick<EncodeBehindParts, "log" | "metrics">;
  readonly left: { bots: number; passages: number };
  #toldAt = performance.now();

  constructor(parts: Pick<EncodeBehindParts, "log" | "metrics">, open: readonly OpenBot[]) {
    this.#parts = parts;
    this.left = {
      bots: open.filter(({ hasExamples }) => hasExamples).length,
      passages: open.reduce((sum, { passages }) => sum + passages.length, 0),
    };
    this.#show();
  }

  take(done: { bots: number; passages: number }): void {
    this.left.bots -= done.bots;
    this.left.passages -= done.passages;
    this.#show();
    if (performance.now() - this.#toldAt < PROGRESS_MS) return;
    this.#toldAt = performance.now();
    this.#parts.log.info({ ...this.left }, "encoding examples and passages");
  }

  #show(): void {
    const { encoderUnready } = this.#parts.metrics;
    encoderUnready.set({ of: "bots" }, this.left.bots);
    encoderUnready.set({ of: "passages" }, this.left.passages);
  }
}

/** Processes each bot; an error in one does not affect the others. @returns the errors. */
async function eachOf(open: readonly OpenBot[], work: (bot: OpenBot) => Promise<void>): Promise<unknown[]> {
  const errors: unknown[] = [];
  for (const bot of open) {
    try {
      await work(bot);
    } catch (error) {
      errors.push(error);
    }
  }
  return errors;
}
