import { BOT_RULES } from "../bots/rules.ts";
import { getIntentModel } from "../bots/training.ts";
import type { Config } from "../config/config.ts";
import type { BotDocument } from "../domain/bot.ts";
import { parseBotFiles } from "../seed/bot-file.ts";
import { readBotSources } from "../seed/bot-sources.ts";
import { formatProblem } from "../seed/problem.ts";
import { getBot, openExistingStore } from "./data-folder.ts";
import { InputError } from "./exit-code.ts";
import { Progress, reportTraining } from "./progress.ts";
import type { Terminal } from "./terminal.ts";

/** A bot that a command looks at: one that is stored, or one that is only a file yet. */
export interface LookedAtBot {
  document: BotDocument;
  /** Version of a stored bot; 0 of a file. */
  version: number;
  /** What reports call it. */
  title: string;
}

/** What the argument of a command that takes either may be. */
export const BOT_OR_FILE = "id of the bot, or a bot file, which need not be seeded (- for stdin)";

/** @throws InputError where there is no such bot, or the file holds mistakes, which have been told, or not exactly one bot. */
export async function readBotOrFile(
  terminal: Terminal,
  config: Pick<Config, "data">,
  name: string,
): Promise<LookedAtBot> {
  if (isFile(name)) return readBotFile(terminal, name);
  await using store = openExistingStore(terminal, config);
  const { document, version } = getBot(store, name);
  return { document, version, title: `${name}, version ${version}` };
}

/** As `readBotOrFile`, with the model: the stored one, or one that is trained now and not kept. */
export async function openBotOrFile(
  terminal: Terminal,
  config: Pick<Config, "data">,
  name: string,
): Promise<LookedAtBot & { model: Uint8Array }> {
  const bot = await readBotOrFile(terminal, config, name);
  using progress = new Progress(terminal);
  if (isFile(name)) {
    const model = await getIntentModel(NO_MODELS, bot.document, reportTraining(progress));
    return { ...bot, model };
  }
  await using store = openExistingStore(terminal, config);
  return { ...bot, model: await getIntentModel(store, bot.document, reportTraining(progress)) };
}

const NO_MODELS = { hasIntentModel: () => false, findIntentModel: () => undefined };

/** The id of a bot holds no dot and no slash, and is no hyphen. */
function isFile(name: string): boolean {
  return name === "-" || /[./\\]/.test(name);
}

async function readBotFile({ readStdin, say, colours }: Terminal, path: string): Promise<LookedAtBot> {
  const read = await readBotSources([path], readStdin);
  const parsed = parseBotFiles(read.sources, BOT_RULES);
  const problems = [...read.problems, ...parsed.problems];
  for (const problem of problems) {
    say(problem.severity === "error" ? formatProblem(problem) : colours.err.yellow(formatProblem(problem)));
  }
  const mistakes = problems.filter(({ severity }) => severity === "error").length;
  if (mistakes > 0) throw new InputError(mistakes === 1 ? "one mistake" : `${mistakes} mistakes`);
  const [bot, ...others] = parsed.bots;
  if (bot === undefined || others.length > 0) {
    const ids = parsed.bots.map(({ document }) => document.id).join(", ");
    throw new InputError(`${path} holds ${parsed.bots.length} bots (${ids}); a file with one is needed here`);
  }
  return { document: bot.document, version: 0, title: `${bot.document.id}, from ${bot.source}` };
}
