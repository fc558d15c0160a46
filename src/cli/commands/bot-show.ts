import type { Command } from "@commander-js/extra-typings";

import type { BotDocument } from "../../domain/bot.ts";
import { asksModels } from "../../domain/responder.ts";
import { monthOf } from "../../domain/time.ts";
import type { StoredBot } from "../../store/interface/bots.ts";
import { getBot, openExistingStore } from "../data-folder.ts";
import { addExamples } from "../examples.ts";
import { formatInstant, formatJson, printable } from "../format.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";

/** `parley bot show` */
export function addBotShow(bot: Command, terminal: Terminal): void {
  const command = bot
    .command("show")
    .description("show a bot: state, usage and contents")
    .argument("<bot>", "id of the bot")
    .option("--json", "print JSON, with the whole bot document");
  addExamples(addSettings(command, ["data", "store"]), "parley bot show acme-support");
  command.action(async (id, options) => {
    await using store = await openExistingStore(terminal, readConfig(terminal, options));
    const stored = await getBot(store, id);
    const now = terminal.now();
    const usage = {
      month: monthOf(now),
      messages: await store.usage.read(stored.key, now),
      modelTokens: await store.usage.readTokens(stored.key, now),
    };
    terminal.print(
      options.json ? formatJson(botAsJson(stored, usage)) : describeBot(stored, usage).join("\n"),
    );
  });
}

interface MonthlyUsage {
  month: string;
  messages: number;
  modelTokens: number;
}

function botAsJson(stored: StoredBot, usage: MonthlyUsage) {
  const { id, enabled, version, document } = stored;
  return {
    id,
    enabled,
    version,
    createdAt: formatInstant(stored.createdAt),
    updatedAt: formatInstant(stored.updatedAt),
    usage,
    document,
  };
}

function describeBot(
  { id, enabled, version, updatedAt, document }: StoredBot,
  usage: MonthlyUsage,
): string[] {
  const { allowedDomains, intents = [], capabilityProfile = {} } = document;
  const fields: [string, string][] = [
    ["id", id],
    ["name", document.name],
    ["state", enabled ? "enabled" : "disabled"],
    ["version", `${version}, of ${formatInstant(updatedAt)}`],
    ...usageFields(document, usage),
    ["domains", allowedDomains.join(", ") || "none"],
    ["intents", intents.map((intent) => intent.name).join(", ") || "none"],
    ["allow", capabilityProfile.allow?.join(", ") ?? "everything that is not denied"],
    ["deny", capabilityProfile.deny?.join(", ") || "nothing"],
  ];
  return fields.map(([name, value]) => `${name.padEnd(10)}${printable(value)}`);
}

/** Model tokens are shown only if the bot may use models or has used tokens this month. */
function usageFields(
  document: BotDocument,
  { month, messages, modelTokens }: MonthlyUsage,
): [string, string][] {
  const { monthlyMessageCap, monthlyTokenBudget } = document;
  const cap = monthlyMessageCap === undefined ? "no cap" : `cap ${monthlyMessageCap}`;
  const fields: [string, string][] = [["messages", `${messages} in ${month} (${cap})`]];
  if (modelTokens > 0 || monthlyTokenBudget !== undefined || asksModels(document)) {
    const budget = monthlyTokenBudget === undefined ? "no budget" : `budget ${monthlyTokenBudget}`;
    fields.push(["tokens", `${modelTokens} of models in ${month} (${budget})`]);
  }
  return fields;
}
