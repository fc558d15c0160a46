import type { Command } from "@commander-js/extra-typings";

import { decideDomain, type DomainDecision, getDomainRules } from "../../access/allowed-domain.ts";
import type { BotDocument } from "../../domain/bot.ts";
import { botJsonSchema } from "../../seed/bot-json-schema.ts";
import { currentText, exportBot } from "../../seed/export-bot.ts";
import type { StoredBot } from "../../store/interface/bots.ts";
import type { ConversationCounts } from "../../store/interface/conversations.ts";
import type { Store } from "../../store/interface/store.ts";
import { getBot, openExistingStore } from "../data-folder.ts";
import { addExamples } from "../examples.ts";
import { InputError, UsageError } from "../exit-code.ts";
import { counted, formatInstant, formatJson, formatTable, printable } from "../format.ts";
import { eraseDeletedBots } from "../remains.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";
import { addBotShow } from "./bot-show.ts";
import { addBotSnippet } from "./bot-snippet.ts";
import { addBotUsage } from "./bot-usage.ts";

/** `parley bot …` */
export function addBotCommands(program: Command, terminal: Terminal): void {
  const bot = program.command("bot").description("show and change bots");
  addExamples(bot, "parley bot list", "parley bot show acme-support");
  addBotList(bot, terminal);
  addBotShow(bot, terminal);
  addBotUsage(bot, terminal);
  addBotEnable(bot, terminal);
  addBotDelete(bot, terminal);
  addBotExport(bot, terminal);
  addBotSchema(bot, terminal);
  addBotCheckOrigin(bot, terminal);
  addBotSnippet(bot, terminal);
}

/** `parley bot list` */
function addBotList(bot: Command, terminal: Terminal): void {
  const command = bot.command("list").description("list all bots").option("--json", "print JSON");
  addExamples(addSettings(command, ["data", "store"]), "parley bot list", "parley bot list --json");
  command.action(async (options) => {
    await using store = await openExistingStore(terminal, readConfig(terminal, options));
    const stored = await store.bots.outline();
    const keys = stored.map(({ key }) => key);
    const usage = await store.readUsage(keys, terminal.now());
    const bots = stored.map(({ key, id, name, enabled, version, updatedAt }) => ({
      id,
      name,
      enabled,
      version,
      messagesThisMonth: usage.get(key)?.messages ?? 0,
      updatedAt: formatInstant(updatedAt),
    }));
    if (options.json) return terminal.print(formatJson({ bots }));
    if (bots.length === 0) return terminal.say("no bots yet; add some with `parley seed`");
    const rows = bots.map(({ id, name, enabled, version, messagesThisMonth, updatedAt }) => [
      id,
      name,
      enabled ? "enabled" : "disabled",
      String(version),
      String(messagesThisMonth),
      updatedAt,
    ]);
    terminal.print(formatTable(["ID", "NAME", "STATE", "VERSION", "MESSAGES THIS MONTH", "UPDATED"], rows));
  });
}

/** `parley bot enable` and `parley bot disable` */
function addBotEnable(bot: Command, terminal: Terminal): void {
  addSwitch(bot, terminal, { verb: "enable", enabled: true, description: "turn a bot on again" });
  addSwitch(bot, terminal, { verb: "disable", enabled: false, description: "turn a bot off" });
}

interface Switch {
  verb: string;
  enabled: boolean;
  description: string;
}

function addSwitch(bot: Command, terminal: Terminal, { verb, enabled, description }: Switch): void {
  const command = bot
    .command(verb)
    .description(`${description}; running servers follow within a second`)
    .argument("<bot>", "id of the bot");
  addExamples(addSettings(command, ["data", "store"]), `parley bot ${verb} acme-support`);
  command.action(async (id, options) => {
    await using store = await openExistingStore(terminal, readConfig(terminal, options));
    const stored = await getBot(store, id);
    if (stored.enabled === enabled) return terminal.say(`${id} is ${verb}d already`);
    await store.bots.setEnabled(id, enabled);
    terminal.say(`${id} is ${verb}d`);
  });
}

/** `parley bot delete` */
function addBotDelete(bot: Command, terminal: Terminal): void {
  const command = bot
    .command("delete")
    .description("delete a bot with its conversations and usage, and remove it from embed tokens")
    .argument("<bot>", "id of the bot")
    .option("--yes", "do not ask");
  addExamples(
    addSettings(command, ["data", "store"]),
    "parley bot delete acme-support",
    "parley bot delete acme-support --yes",
  );
  command.action(async (id, options) => {
    const config = readConfig(terminal, options);
    await using store = await openExistingStore(terminal, config);
    const isDeletedAlready = (await store.bots.listDeleted()).some((deleted) => deleted.id === id);
    if (!isDeletedAlready || (await store.bots.find(id))) {
      const { document, key } = await getBot(store, id);
      const what = `"${document.name}" with ${describeKept(await store.conversations.count(key))}`;
      if (!options.yes && !(await isConfirmed(terminal, what))) return terminal.say("nothing was deleted");
      await store.bots.delete(id);
    }
    terminal.say(`${id} is deleted`);
    await eraseDeletedBots(store, terminal, config);
  });
}

async function isConfirmed({ isInteractive, confirm }: Terminal, what: string): Promise<boolean> {
  if (isInteractive) return confirm(`Delete ${printable(what)}?`);
  throw new UsageError(`this deletes ${printable(what)}; confirm with --yes`);
}

function describeKept({ conversations, messages }: ConversationCounts): string {
  if (conversations === 0) return "no conversations yet";
  return `its ${counted(conversations, "conversation")} (${counted(messages, "message")})`;
}

/** `parley bot schema` */
function addBotSchema(bot: Command, terminal: Terminal): void {
  const command = bot
    .command("schema")
    .description("print the JSON Schema of bot files, for editors")
    .option("--json", "the schema is JSON in any case");
  addExamples(
    addSettings(command, ["data", "store"]),
    "parley bot schema > parley-bot.schema.json",
    "# then, as the first line of a bot file:",
    "# yaml-language-server: $schema=./parley-bot.schema.json",
  );
  command.action(() => terminal.print(formatJson(botJsonSchema())));
}

/** `parley bot check-origin` */
function addBotCheckOrigin(bot: Command, terminal: Terminal): void {
  const command = bot
    .command("check-origin")
    .description(
      "say whether pages of an origin may chat with the bot, and which entry decides; exit 1 if not",
    )
    .argument("<bot>", "id of the bot")
    .argument("<origin>", "as browsers send it: https://www.example.com")
    .option("--json", "print JSON");
  addExamples(
    addSettings(command, ["data", "store"]),
    "parley bot check-origin acme-support https://www.example.com",
  );
  command.action(async (id, origin, options) => {
    await using store = await openExistingStore(terminal, readConfig(terminal, options));
    const { allowedDomains } = (await getBot(store, id)).document;
    const decision = decideDomain(getDomainRules(allowedDomains), { origin, referer: undefined });
    if (options.json) terminal.print(formatJson({ botId: id, origin, ...decision }));
    if (!decision.allowed) throw new InputError(explainRefusal(decision, origin, allowedDomains));
    if (!options.json) terminal.print(`${origin} is allowed by \`${decision.entry}\``);
  });
}

type Refusal = Extract<DomainDecision, { allowed: false }>;

function explainRefusal({ reason }: Refusal, origin: string, allowedDomains: readonly string[]): string {
  if (reason === "origin_malformed") {
    const url = URL.canParse(origin) ? new URL(origin).origin : "null";
    const suggestion = url === "null" || url === origin ? "https://www.example.com" : url;
    return `\`${origin}\` is not an origin that browsers send; try ${suggestion}`;
  }
  const entries = allowedDomains.map((entry) => `\`${entry}\``).join(", ");
  return `${origin} is refused: it matches none of ${entries || "the entries, as there are none"}`;
}

/** `parley bot export` */
function addBotExport(bot: Command, terminal: Terminal): void {
  const command = bot
    .command("export")
    .description("print bots in the form that `parley seed` reads: YAML, one document per bot")
    .argument("[bots...]", "ids of bots; without any, all bots")
    .option("--json", "print JSON, which `parley seed` reads, too: an object for one named bot, else a list");
  addExamples(
    addSettings(command, ["data", "store"]),
    "parley bot export acme-support > acme-support.yaml",
    "parley bot export | ssh chat.example parley seed -",
  );
  command.action(async (ids, options) => {
    await using store = await openExistingStore(terminal, readConfig(terminal, options));
    const stored = await (ids.length === 0
      ? store.bots.list()
      : Promise.all(ids.map((id) => getBot(store, id))));
    if (options.json) {
      const documents = stored.map(asDocument);
      return terminal.print(formatJson(ids.length === 1 ? documents[0] : documents));
    }
    const isStream = stored.length > 1;
    const texts = await Promise.all(stored.map((found) => writtenText(store, found, isStream)));
    terminal.print(texts.map((text) => text.trimEnd()).join("\n---\n"));
  });
}

/** Markers that end a YAML document or stand before it; inside a stream of documents they would change its meaning. */
const MARKS_OF_STREAMS = /^(?:%|\.\.\.)/m;

/**
 * The bot's original text from its file or the console, with comments, if it still has the same content; else YAML written from the stored
 * document.
 */
async function writtenText({ bots }: Store, bot: StoredBot, isInStream: boolean): Promise<string> {
  const { yaml } = (await bots.findWritten(bot.key, bot.version)) ?? {};
  const written = yaml === undefined ? undefined : currentText(yaml, bot);
  const fits = written !== undefined && !(isInStream && MARKS_OF_STREAMS.test(written));
  return fits ? written : exportBot(asDocument(bot));
}

/** Adds `enabled: false` for a disabled bot, so that seeding the export keeps it disabled. */
function asDocument({ document, enabled }: StoredBot): BotDocument {
  return enabled ? document : { ...document, enabled };
}
