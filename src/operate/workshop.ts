import { knowledgeOf } from "../bots/bot-knowledge.ts";
import { JudgingThread } from "../bots/judging-thread.ts";
import { SentenceVectors } from "../bots/sentence-vectors.ts";
import { type Understand, understandBy } from "../bots/understanding.ts";
import type { BotDocument } from "../domain/bot.ts";
import type {
  BotReviewResult,
  CallableEndpoint,
  PublishPreview,
  TestOutcome,
} from "../domain/operator/bots.ts";
import type { ReceiptView, TryResult } from "../domain/operator/conversations.ts";
import { sha256 } from "../domain/sha256.ts";
import { type EncoderInput, EncoderThread } from "../intent/classifier.ts";
import { callableEndpoints, type ConfiguredNames } from "../seed/configured-names.ts";
import type { BundleSources } from "../seed/document-rules.ts";
import type { StoredBot } from "../store/interface/bots.ts";
import type { Store } from "../store/interface/store.ts";
import {
  type BotToTest,
  rehearseTests,
  type TestingParts,
  testOutcomes,
  type TestResults,
} from "./bot-tests.ts";
import { CheckThread } from "./check/check-thread.ts";
import { type CheckedYaml, isSound, yamlOf } from "./check/check-yaml.ts";
import { findContradictions } from "./contradictions/find-contradictions.ts";
import { canCrossValidate } from "./cross-validate-bot.ts";
import type { DecidingAgain } from "./decide-again.ts";
import { DraftModels } from "./draft-bots.ts";
import { OneAtATime, Slices } from "./long-work.ts";
import { CrossValidations } from "./preview/cross-validations.ts";
import { type DraftToPreview, previewBot, type Watched } from "./preview/preview-bot.ts";
import { warnOfRetiring } from "./publish/follow-sources.ts";
import { explainReceipt } from "./receipt/receipt-view.ts";
import type { OpenRehearsal } from "./rehearsal.ts";
import { reviewResult } from "./review-bot.ts";
import { type Trial, TriedBots } from "./try/tried-bots.ts";
import { withoutModels } from "./without-models.ts";

interface WorkshopParts {
  store: Store;
  openRehearsal: OpenRehearsal;
  configured: ConfiguredNames;
  /** Origins from which template bundles may be loaded. */
  bundles: () => BundleSources;
}

/** The result for a draft, or its mistakes if it is not valid. */
export type OfDraft<Result> = { kind: "done"; result: Result } | ({ kind: "faulty" } & CheckedYaml);

/**
 * Checks, tests, previews and trial conversations for operators, on a server that answers visitors meanwhile. So that visitors do not wait,
 * long work is done one task at a time, on threads or in slices, and visitors' messages are encoded first.
 */
export class Workshop implements AsyncDisposable {
  /** Separate from `#checks`, so that publishing does not wait for operators who only look. */
  readonly publishChecks: CheckThread;
  /** For drafts and for viewing published versions. */
  readonly #checks: CheckThread;
  readonly #store: Store;
  readonly #configured: ConfiguredNames;
  readonly #testing: TestingParts;
  /** Separate from tests of drafts for the same reason. */
  readonly #publishTests = new OneAtATime();
  readonly #thread = new EncoderThread({ work: "background" });
  readonly #encoder = new RememberedSentences(this.#thread);
  readonly #understand: Understand = understandBy(this.#encoder);
  readonly #vectors = new SentenceVectors(this.#thread);
  readonly #judging = new JudgingThread();
  readonly #deciding: DecidingAgain = {
    judge: this.#judging.judge,
    understand: this.#understand,
    vectors: this.#vectors,
  };
  readonly #models: DraftModels;
  readonly #validations = new CrossValidations();
  readonly #long = new OneAtATime();
  readonly #tried: TriedBots;

  constructor({ store, openRehearsal, configured, bundles }: WorkshopParts) {
    this.publishChecks = new CheckThread({ configured, bundles });
    this.#checks = new CheckThread({ configured, bundles });
    this.#store = store;
    this.#configured = configured;
    this.#testing = { openRehearsal, encoder: this.#encoder };
    this.#models = new DraftModels(store);
    this.#tried = new TriedBots({
      knowledge: store.knowledge,
      models: this.#models,
      judge: this.#judging.judge,
      ...this.#testing,
    });
  }

  /**
   * Checks a draft of this bot: its mistakes, and the answers that publishing it would remove.
   *
   * @throws the signal's reason if it aborts before the check starts
   * @throws ServiceError OVERLOADED if too many checks wait
   */
  async check(bot: CheckedAgainst, yaml: string, signal?: AbortSignal): Promise<CheckedYaml> {
    const checked = await this.#checks.check(yamlOf(bot, yaml), signal);
    if (!isSound(checked)) return checked;
    const retiring = await warnOfRetiring(this.#store.knowledge, bot.key, checked.document);
    return { ...checked, mistakes: [...checked.mistakes, ...retiring] };
  }

  /** Those that the configuration lets a bot call. */
  endpointsFor(bot: string): CallableEndpoint[] {
    return callableEndpoints(this.#configured, bot);
  }

  /** Checks a bot that is being published. */
  checkPublished(bot: CheckedAgainst, yaml: string): Promise<CheckedYaml> {
    return this.publishChecks.check(yamlOf(bot, yaml));
  }

  /** Runs the tests of a bot that is to be published. @throws the signal's reason if it aborts. */
  testPublished(bot: BotToTest, signal: AbortSignal): Promise<TestResults> {
    const run = () => rehearseTests(this.#testing, bot, { slices: new Slices(signal), report: () => {} });
    return this.#publishTests.run(run, signal);
  }

  /** Shows the effects of publishing a draft. @throws the signal's reason if it aborts. */
  preview(bot: StoredBot, draft: DraftToPreview, watched: Watched): Promise<PublishPreview> {
    const parts = {
      store: this.#store,
      checks: this.#checks,
      models: this.#models,
      validations: this.#validations,
      judge: this.#judging.judge,
      ...this.#testing,
    };
    return this.#long.run(() => previewBot(parts, bot, draft, watched), watched.signal);
  }

  /** The draft of a bot, or without `yaml` its published version. @throws the signal's reason if it aborts. */
  async documentOf(
    bot: StoredBot,
    yaml: string | undefined,
    signal: AbortSignal,
  ): Promise<OfDraft<BotDocument>> {
    if (yaml === undefined) return { kind: "done", result: bot.document };
    const checked = await this.check(bot, yaml, signal);
    if (!isSound(checked)) return { kind: "faulty", ...checked };
    const { enabled: _, ...document } = checked.document;
    return { kind: "done", result: document };
  }

  /** Runs the tests of a bot or of its draft. @throws the signal's reason if it aborts. */
  test(bot: StoredBot, document: BotDocument, watched: Watched): Promise<TestOutcome[]> {
    return this.#long.run(async () => {
      const model = await this.#modelOf(document, watched);
      const knowledge = await knowledgeOf(this.#store, bot.key);
      return await testOutcomes(
        this.#testing,
        { document, model, knowledge },
        {
          slices: new Slices(watched.signal),
          report: (done, of) => watched.report("tests", done, of),
        },
      );
    }, watched.signal);
  }

  /** Measures how well a bot or its draft understands. @throws the signal's reason if it aborts. */
  review(bot: StoredBot, draft: BotDocument, watched: Watched): Promise<BotReviewResult> {
    return this.#long.run(async () => {
      const document = withoutModels(draft);
      const knowledge = await knowledgeOf(this.#store, bot.key);
      const generation = (await this.#store.knowledge.generations()).get(bot.key);
      const decided = canCrossValidate(document)
        ? await this.#validations.find(document, {
            knowledge,
            generation,
            understand: this.#understand,
            vectors: this.#vectors,
            signal: watched.signal,
            report: (done) => watched.report("cross-validation", done, 1),
          })
        : [];
      const slices = new Slices(watched.signal);
      const contradictions = await findContradictions({ document, knowledge }, () => slices.pause());
      return reviewResult(document, decided, contradictions);
    }, watched.signal);
  }

  /** The response of a bot or of its draft to a message. @throws like `TriedBots.say` */
  async try(
    bot: StoredBot,
    yaml: string | undefined,
    trial: Trial,
    signal: AbortSignal,
  ): Promise<OfDraft<TryResult>> {
    const document = await this.documentOf(bot, yaml, signal);
    if (document.kind === "faulty") return document;
    const tried = { key: bot.key, document: document.result };
    return { kind: "done", result: await this.#tried.say(tried, trial, signal) };
  }

  /** Explains the decision of a stored turn. @throws the signal's reason if it aborts. */
  explain(requestId: string, signal: AbortSignal): Promise<ReceiptView | undefined> {
    const findModel = (document: BotDocument) => this.#models.find(document, undefined, signal);
    const by = { findModel, deciding: this.#deciding };
    return this.#long.run(() => explainReceipt(this.#store, requestId, by), signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.publishChecks[Symbol.dispose]();
    this.#checks[Symbol.dispose]();
    this.#thread[Symbol.dispose]();
    this.#judging[Symbol.dispose]();
    await this.#tried[Symbol.asyncDispose]();
  }

  #modelOf(document: BotDocument, { report, signal }: Watched) {
    report("training", 0, 1);
    return this.#models.find(document, ({ workDone }) => report("training", workDone, 1), signal);
  }
}

type CheckedAgainst = Pick<StoredBot, "key" | "id" | "document">;

/** Cached sentences: the messages of two previews, about 2 KB each. */
const MAX_SENTENCES = 4000;

/**
 * An encoder with a cache: two versions of a bot encode the same messages, and so does the next preview. The keys are hashes, so that no
 * visitor's text is kept.
 */
class RememberedSentences implements Pick<EncoderThread, "encode"> {
  readonly #encoder: Pick<EncoderThread, "encode">;
  /** Least recently used first. */
  readonly #sentences = new Map<string, Float32Array | undefined>();

  constructor(encoder: Pick<EncoderThread, "encode">) {
    this.#encoder = encoder;
  }

  /** @throws Error like `EncoderThread.encode` */
  async encode(input: EncoderInput): Promise<Float32Array | undefined> {
    const key = sha256(JSON.stringify(input)).toString("base64");
    const sentence = this.#sentences.has(key) ? this.#sentences.get(key) : await this.#encoder.encode(input);
    this.#sentences.delete(key);
    this.#sentences.set(key, sentence);
    if (this.#sentences.size > MAX_SENTENCES) this.#sentences.delete(this.#sentences.keys().next().value!);
    return sentence;
  }
}
