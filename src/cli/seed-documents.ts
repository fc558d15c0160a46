import { NO_KNOWLEDGE } from "../bots/bot-knowledge.ts";
import { modelAmong, trainBots } from "../bots/training.ts";
import type { Config } from "../config/config.ts";
import type { BotDocument } from "../domain/bot.ts";
import { EncoderThread } from "../intent/classifier.ts";
import { pathFault } from "../knowledge/sources/files/list-files.ts";
import { knowledgeSources } from "../knowledge/sources/source.ts";
import { describeFailure, rehearseTests, type TestingParts } from "../operate/bot-tests.ts";
import { knowledgeOnceStored } from "../operate/refresh-knowledge.ts";
import type { ParsedBot } from "../seed/bot-file.ts";
import type { SeedProblem } from "../seed/problem.ts";
import type { SeedModels } from "../store/interface/bots.ts";
import type { Store } from "../store/interface/store.ts";
import { Progress, reportTraining } from "./progress.ts";
import { folderOf } from "./read-bot-files.ts";
import type { KnowledgeByBot } from "./refresh-bots.ts";
import type { Terminal } from "./terminal.ts";

/** Trains new documents, with progress. Nothing is stored. */
export async function trainDocuments(
  store: Store,
  terminal: Terminal,
  documents: readonly BotDocument[],
): Promise<SeedModels> {
  using progress = new Progress(terminal);
  return await trainBots(store, documents, { onTraining: reportTraining(progress) });
}

/** The models and documents to test bots with. */
export interface PreparedBots {
  models: SeedModels;
  read: KnowledgeByBot;
}

/** The failing tests by bot, with their places. Nothing is stored and no model is asked. */
export async function failingTests(
  store: Store,
  terminal: Terminal,
  config: Config,
  bots: readonly ParsedBot[],
  { models, read }: PreparedBots,
): Promise<Map<string, SeedProblem[]>> {
  const problems = new Map<string, SeedProblem[]>();
  if (bots.length === 0) return problems;
  const { openRehearsal } = await import("../runtime/open-rehearsal.ts");
  using encoder = new EncoderThread();
  using progress = new Progress(terminal);
  const parts: TestingParts = { encoder, openRehearsal: (...bot) => openRehearsal(config, ...bot) };
  for (const [index, { document, source, testPlaces = [] }] of bots.entries()) {
    const model = await modelAmong(models, store, document);
    const place = bots.length > 1 ? `, ${index + 1} of ${bots.length}` : "";
    const report = (done: number, of: number) =>
      progress.report(`testing ${document.id}${place}`, (index + done / of) / bots.length);
    const documents = read.get(document.id);
    const key = (await store.bots.find(document.id))?.key;
    const knowledge = documents ? await knowledgeOnceStored(store.knowledge, key, documents) : NO_KNOWLEDGE;
    const { failures } = await rehearseTests(parts, { document, model, knowledge }, { report });
    const found = failures.map((failure): SeedProblem => {
      const at = testPlaces[failure.test - 1]?.[failure.message - 1];
      return { source, ...at, message: describeFailure(failure), severity: "warning", isFault: true };
    });
    if (found.length > 0) problems.set(document.id, found);
  }
  return problems;
}

/**
 * Source paths that cannot be read and of which nothing is stored, by bot. They are treated as mistakes, like unknown names in `deny`. If
 * documents of a path are stored, they stay, because its disk may be unmounted.
 */
export async function unreadablePaths(
  { bots, knowledge }: Pick<Store, "bots" | "knowledge">,
  parsed: readonly ParsedBot[],
): Promise<Map<string, SeedProblem[]>> {
  const problems = new Map<string, SeedProblem[]>();
  for (const bot of parsed) {
    const { document, source, sourcePlaces = [] } = bot;
    const key = (await bots.find(document.id))?.key;
    const known = new Set((key ? await knowledge.listDocuments(key) : []).map((stored) => stored.source));
    const found: SeedProblem[] = [];
    for (const [index, from] of knowledgeSources(document).entries()) {
      if (from.kind !== "files" || known.has(from.name)) continue;
      const fault = await pathFault(folderOf(bot), from.path);
      if (fault === undefined) continue;
      const message = `\`${from.name}\` cannot be read: ${fault}`;
      found.push({ source, ...sourcePlaces[index], message, severity: "warning", isFault: true });
    }
    if (found.length > 0) problems.set(document.id, found);
  }
  return problems;
}
