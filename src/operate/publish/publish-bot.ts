import { knowledgeOf, NO_KNOWLEDGE } from "../../bots/bot-knowledge.ts";
import { modelAmong, trainBots } from "../../bots/training.ts";
import type { BotDocument } from "../../domain/bot.ts";
import type { BotMistake } from "../../domain/operator/bots.ts";
import { currentText, exportBot } from "../../seed/export-bot.ts";
import type { Publication, PublicationOutcome, SeedModels, StoredBot } from "../../store/interface/bots.ts";
import type { Bots, Knowledge, ModelStore } from "../../store/interface/store.ts";
import { describeFailure } from "../bot-tests.ts";
import type { CheckThread } from "../check/check-thread.ts";
import { type CheckedYaml, isSound, yamlOf } from "../check/check-yaml.ts";
import type { Workshop } from "../workshop.ts";
import { followSources } from "./follow-sources.ts";

/** The parts that publishing uses. */
export interface PublishParts {
  store: ModelStore & {
    bots: Pick<Bots, "find" | "findWritten" | "publish">;
    knowledge: Knowledge;
  };
  checks: Pick<CheckThread, "check">;
  runTests: Workshop["testPublished"];
}

/** The author. */
export interface Publishing {
  /** Publishes even with faults, and skips the tests. */
  acceptFaults: boolean;
  /** Aborts when the caller no longer waits; while tests run, nothing is published then. */
  signal: AbortSignal;
}

/** The result. `faulty`, `unaccepted`: nothing was published because of these mistakes or faults. */
export type PublishResult =
  | { kind: PublicationOutcome; id: string }
  | { kind: "faulty" | "unaccepted"; mistakes: readonly BotMistake[] };

/**
 * Publishes the next version of a bot from its text: checked, trained and tested like `seed`, live within a second. An unchanged bot is not
 * published again.
 */
export async function publishBot(
  parts: PublishParts,
  bot: StoredBot,
  { yaml, ...facts }: Pick<Publication, "yaml" | "note" | "replaces" | "draft">,
  publishing: Publishing,
): Promise<PublishResult> {
  const checked = await parts.checks.check(yamlOf(bot, yaml));
  if (!isSound(checked)) return { kind: "faulty", mistakes: checked.mistakes };
  const document = await withEnabled(parts, bot, checked.document);
  return publish(parts, { document, yaml, ...facts }, { ...publishing, checked });
}

/** Creates a new bot. */
export async function createBot(
  parts: PublishParts,
  yaml: string,
  publishing: Publishing,
): Promise<PublishResult> {
  const checked = await parts.checks.check({ yaml });
  if (!isSound(checked)) return { kind: "faulty", mistakes: checked.mistakes };
  return publish(parts, { document: checked.document, yaml, replaces: 0 }, { ...publishing, checked });
}

/** Publishes the text of an earlier version. @returns undefined if there is no such version. */
export async function restoreVersion(
  parts: PublishParts,
  bot: StoredBot,
  { version, replaces }: { version: number; replaces: number },
  publishing: Publishing,
): Promise<PublishResult | undefined> {
  const written = await parts.store.bots.findWritten(bot.key, version);
  if (!written) return undefined;
  const { document } = written;
  const yaml = writtenOrExported(written.yaml, document);
  const checked = await parts.checks.check(yamlOf(bot, yaml, document));
  if (!isSound(checked)) return { kind: "faulty", mistakes: checked.mistakes };
  return publish(parts, { document, yaml, replaces, restoredFrom: version }, { ...publishing, checked });
}

/** The stored text of a version; if it is missing or has a different content, text written from the document. */
export function writtenOrExported(yaml: string | undefined, document: BotDocument): string {
  const isSame = (enabled: boolean) => yaml !== undefined && currentText(yaml, { document, enabled });
  return yaml !== undefined && (isSame(true) || isSame(false)) ? yaml : exportBot(document);
}

interface CheckedPublishing extends Publishing {
  checked: CheckedYaml;
}

async function publish(
  parts: PublishParts,
  publication: Publication,
  { checked, acceptFaults, signal }: CheckedPublishing,
): Promise<PublishResult> {
  const { store } = parts;
  const { document } = publication;
  const models = await trainBots(store, [document]);
  const faults = checked.mistakes.filter(({ isFault }) => isFault);
  if (!acceptFaults) faults.push(...(await failingTests(parts, document, { checked, models, signal })));
  if (!acceptFaults && faults.length > 0) return { kind: "unaccepted", mistakes: faults };
  const accepted = acceptFaults ? passedOver(document, faults) : [];
  const kind = await store.bots.publish(
    { ...publication, ...(accepted.length > 0 && { acceptedFaults: accepted }) },
    models,
  );
  if (kind === "published") await followSources(store, document);
  return { kind, id: document.id };
}

/** The failing tests with the documents stored now; newly named documents are only read by `knowledge refresh`. */
async function failingTests(
  { store, runTests }: PublishParts,
  document: BotDocument,
  { checked, models, signal }: Pick<CheckedPublishing, "checked" | "signal"> & { models: SeedModels },
): Promise<BotMistake[]> {
  if (document.tests === undefined || document.tests.length === 0) return [];
  const model = await modelAmong(models, store, document);
  const stored = await store.bots.find(document.id);
  const knowledge = stored ? await knowledgeOf(store, stored.key) : NO_KNOWLEDGE;
  const { failures } = await runTests({ document, model, knowledge }, signal);
  return failures.map((failure) => ({
    ...checked.testPlaces?.[failure.test - 1]?.[failure.message - 1],
    message: describeFailure(failure),
    severity: "warning",
    isFault: true,
  }));
}

/** Audit entries for faults that were accepted. */
function passedOver({ tests = [] }: BotDocument, faults: readonly BotMistake[]): string[] {
  const told = faults.map(({ message }) => message);
  return tests.length === 0 ? told : [...told, "its tests were not run"];
}

/**
 * `enabled` of the text counts only if this edit changed it. Otherwise correcting a word in a bot that its file disables would disable it
 * again after an operator enabled it.
 */
async function withEnabled(
  { store, checks }: PublishParts,
  bot: StoredBot,
  { enabled, ...document }: BotDocument,
): Promise<BotDocument> {
  if (enabled === undefined) return document;
  const written = await store.bots.findWritten(bot.key, bot.version);
  const before = written?.yaml === undefined ? undefined : await checks.check({ yaml: written.yaml });
  return before?.document?.enabled === enabled ? document : { ...document, enabled };
}
