import { knowledgeOf } from "../../bots/bot-knowledge.ts";
import type { Judge } from "../../bots/judging-thread.ts";
import { PassageVectors } from "../../bots/passage-vectors.ts";
import { SentenceVectors } from "../../bots/sentence-vectors.ts";
import { understandBy } from "../../bots/understanding.ts";
import type { BotDocument } from "../../domain/bot.ts";
import type { BotMistake, PublishPreview } from "../../domain/operator/bots.ts";
import type { StoredBot } from "../../store/interface/bots.ts";
import type { Knowledge, Vectors as StoredVectors } from "../../store/interface/store.ts";
import { type BotToTest, type TestingParts, testOutcomes } from "../bot-tests.ts";
import type { CheckThread } from "../check/check-thread.ts";
import { isSound, yamlOf } from "../check/check-yaml.ts";
import { draftBot, type DraftModels } from "../draft-bots.ts";
import { countOutcomes } from "../figures.ts";
import { Slices } from "../long-work.ts";
import { warnOfRetiring } from "../publish/follow-sources.ts";
import { withoutModels } from "../without-models.ts";
import { compareDecisions, readSaid, type SaidStore } from "./compare-decisions.ts";
import { type CrossValidations, isQuickToValidate } from "./cross-validations.ts";

/** Progress callback and abort signal of long work. */
export interface Watched {
  report: (step: string, done: number, of: number) => void;
  /** Aborts when the caller no longer waits. */
  signal: AbortSignal;
}

/** The parts that a preview uses. */
export interface PreviewParts extends TestingParts {
  store: SaidStore & {
    vectors: Pick<StoredVectors, "findPassageVectors">;
    knowledge: Pick<
      Knowledge,
      "generations" | "listPassageIds" | "readTerms" | "findPassages" | "listSources" | "listDocuments"
    >;
  };
  checks: Pick<CheckThread, "check">;
  models: Pick<DraftModels, "find">;
  validations: CrossValidations;
  judge: Judge;
}

/** A draft to be published. */
export interface DraftToPreview {
  yaml: string;
  /** Whether both versions are cross-validated, if that is quick enough. */
  isCrossValidated: boolean;
  /** Receives everything except the cross-validation as soon as it is known. */
  onCompared?: (preview: PublishPreview) => void;
}

/**
 * The effects of publishing a draft: its tests, and the latest real messages that it decides differently. Nothing is stored and no model
 * server is asked.
 *
 * @throws the signal's reason if it aborts.
 */
export async function previewBot(
  parts: PreviewParts,
  bot: StoredBot,
  { yaml, isCrossValidated, onCompared }: DraftToPreview,
  watched: Watched,
): Promise<PublishPreview> {
  const begun = performance.now();
  const { report } = watched;
  report("checking", 0, 1);
  const checked = await parts.checks.check(yamlOf(bot, yaml), watched.signal);
  const took = () => Math.round(performance.now() - begun);
  if (!isSound(checked)) return { ...nothingOf(bot, checked.mistakes), tookMs: took() };
  const retiring = await warnOfRetiring(parts.store.knowledge, bot.key, checked.document);
  const { enabled: _, ...document } = checked.document;
  const training = (share: number) => report("training", share, 1);
  training(0);
  const model = await parts.models.find(document, ({ workDone }) => training(workDone), watched.signal);
  const draft: BotToTest = { document, model, knowledge: await knowledgeOf(parts.store, bot.key) };
  const tests = await testOutcomes(parts, draft, {
    slices: new Slices(watched.signal),
    report: (done, of) => report("tests", done, of),
  });
  const compared = await compare(parts, bot, draft, watched);
  const changes = { ...nothingOf(bot, [...checked.mistakes, ...retiring]), tests, ...compared };
  if (!isCrossValidated) return { ...changes, tookMs: took() };
  onCompared?.({ ...changes, tookMs: took() });
  const crossValidation = await validateBoth(parts, bot, draft, watched);
  return { ...changes, ...(crossValidation && { crossValidation }), tookMs: took() };
}

function nothingOf(bot: StoredBot, mistakes: BotMistake[]): PublishPreview {
  return {
    baseVersion: bot.version,
    mistakes,
    tests: [],
    messages: 0,
    distinct: 0,
    newlyAnswered: [],
    worse: [],
    improved: [],
    moved: [],
    replacesFile: bot.origin === "file",
    tookMs: 0,
  };
}

async function compare(
  { store, models, judge, encoder }: PreviewParts,
  bot: StoredBot,
  { document, model, knowledge }: BotToTest,
  { report, signal }: Watched,
) {
  const slices = new Slices(signal);
  const { messages, distinct } = await readSaid(store, bot.key, slices);
  const published = await models.find(bot.document, undefined, signal);
  const before = draftBot(bot.document, bot.version, published, knowledge);
  const after = draftBot(document, bot.version + 1, model, knowledge);
  const compared = await compareDecisions(before, after, distinct, {
    judge,
    understand: understandBy(encoder),
    // The stored vectors of passages: to encode thousands of sentences would take minutes.
    vectors: new PassageVectors({ store: store.vectors, encoder }),
    slices,
    report: (done, of) => report("messages", done, of),
  });
  return { messages, distinct: distinct.length, ...compared };
}

/** Cross-validates both versions; undefined if that takes too long or there are too few examples. */
async function validateBoth(
  { store, validations, encoder }: PreviewParts,
  { key, document: published }: StoredBot,
  { document, knowledge }: BotToTest,
  { report, signal }: Watched,
): Promise<PublishPreview["crossValidation"]> {
  if (!isQuickToValidate(document) || !isQuickToValidate(published)) return undefined;
  const generation = (await store.knowledge.generations()).get(key);
  const vectors = new SentenceVectors(encoder);
  const countOf = async (bot: BotDocument, place: number) => {
    const decided = await validations.find(withoutModels(bot), {
      knowledge,
      generation,
      understand: understandBy(encoder),
      vectors,
      signal,
      report: (done) => report("cross-validation", place + done, 2),
    });
    const { right, asked } = countOutcomes(decided);
    return { right, asked, judged: decided.length };
  };
  return { before: await countOf(published, 0), after: await countOf(document, 1) };
}
