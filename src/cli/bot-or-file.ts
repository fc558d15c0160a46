import { type BotKnowledge, knowledgeInMemory, NO_KNOWLEDGE } from "../bots/bot-knowledge.ts";
import { getIntentModel } from "../bots/training.ts";
import type { BotDocument } from "../domain/bot.ts";
import { collectKnowledge } from "../knowledge/sources/collect.ts";
import { knowledgeSources } from "../knowledge/sources/source.ts";
import { passagesOf } from "../operate/refresh-knowledge.ts";
import type { ParsedBot } from "../seed/bot-file.ts";
import type { TrainedModel } from "../store/interface/bots.ts";
import { getBot, openExistingStore, type StorePlace } from "./data-folder.ts";
import { InputError } from "./exit-code.ts";
import { Progress, reportTraining } from "./progress.ts";
import { countMistakes, folderOf, readBotFiles } from "./read-bot-files.ts";
import type { Terminal } from "./terminal.ts";

/** The bot that a command examines: a stored one, or one from a file. */
export interface LookedAtBot {
  document: BotDocument;
  /** Version of a stored bot; 0 for a file. */
  version: number;
  /** Its name in reports. */
  title: string;
  /** Its documents, in memory. */
  knowledge: BotKnowledge;
}

/** Description of an argument that may be either. */
export const BOT_OR_FILE = "id of a bot, or path of a bot file, which need not be seeded";

/** @throws InputError if there is no such bot, or if the file has mistakes (which have been printed) or not exactly one bot. */
export async function readBotOrFile(
  terminal: Terminal,
  config: StorePlace,
  name: string,
): Promise<LookedAtBot> {
  if (isFile(name)) return readBotFile(terminal, name);
  await using store = await openExistingStore(terminal, config);
  const { key, document, version } = await getBot(store, name);
  const ids = await store.knowledge.listPassageIds(key);
  const knowledge = knowledgeInMemory(await store.knowledge.findPassages(ids));
  return { document, version, title: `${name}, version ${version}`, knowledge };
}

/** Like `readBotOrFile`, with the intent model: the stored one, or one trained now and not stored. */
export async function openBotOrFile(
  terminal: Terminal,
  config: StorePlace,
  name: string,
): Promise<LookedAtBot & { model: TrainedModel }> {
  const bot = await readBotOrFile(terminal, config, name);
  using progress = new Progress(terminal);
  if (isFile(name)) {
    const model = await getIntentModel(NO_MODELS, bot.document, reportTraining(progress));
    return { ...bot, model };
  }
  await using store = await openExistingStore(terminal, config);
  return { ...bot, model: await getIntentModel(store, bot.document, reportTraining(progress)) };
}

const NO_MODELS = {
  hasIntentModel: async () => false,
  findIntentModel: async () => undefined,
  findSentenceModel: async () => undefined,
};

/** A bot's id contains no dot and no slash, and is not `-`. */
function isFile(name: string): boolean {
  return name === "-" || /[./\\]/.test(name);
}

/** Reads the files that a bot file names as documents. Nothing is fetched from the network; `seed` and `knowledge refresh` do that. */
async function readFilesOf(bot: ParsedBot): Promise<BotKnowledge> {
  const sources = knowledgeSources(bot.document).filter(({ kind }) => kind === "files");
  if (sources.length === 0) return NO_KNOWLEDGE;
  const collected = await collectKnowledge({ sources, folder: folderOf(bot), known: [] });
  const passages = passagesOf(collected.sources.flatMap(({ documents }) => documents));
  return knowledgeInMemory(new Map(passages.map((passage, number) => [number + 1, passage])));
}

async function readBotFile(terminal: Terminal, path: string): Promise<LookedAtBot> {
  const { bots, mistakes } = await readBotFiles(terminal, [path]);
  if (mistakes > 0) throw new InputError(countMistakes(mistakes));
  const [bot, ...others] = bots;
  if (bot !== undefined && others.length === 0) {
    const title = `${bot.document.id}, from ${bot.source}`;
    return { document: bot.document, version: 0, title, knowledge: await readFilesOf(bot) };
  }
  const ids = bots.map(({ document }) => document.id).join(", ");
  throw new InputError(`${path} contains ${bots.length} bots (${ids}); use a file with one`);
}
