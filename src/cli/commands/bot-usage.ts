import type { Command } from "@commander-js/extra-typings";

import { monthOf } from "../../domain/time.ts";
import { getBot, openExistingStore } from "../data-folder.ts";
import { addExamples } from "../examples.ts";
import { counted, formatJson } from "../format.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";

/** `parley bot usage` */
export function addBotUsage(bot: Command, terminal: Terminal): void {
  const command = bot
    .command("usage")
    .description(
      "show a bot's usage of this month (UTC): messages with their cap, model tokens with their budget",
    )
    .argument("<bot>", "id of the bot")
    .option("--reset-tokens", "set this month's token count to zero; running servers follow at once")
    .option("--json", "print JSON");
  addExamples(
    addSettings(command, ["data", "store"]),
    "parley bot usage acme-support",
    "parley bot usage acme-support --reset-tokens",
  );
  command.action(async (id, options) => {
    await using store = await openExistingStore(terminal, readConfig(terminal, options));
    const { key, document } = await getBot(store, id);
    const now = terminal.now();
    const takenBack = options.resetTokens ? await store.usage.resetTokens(key, now) : undefined;
    const usage = {
      botId: id,
      month: monthOf(now),
      messages: await store.usage.read(key, now),
      monthlyMessageCap: document.monthlyMessageCap ?? null,
      modelTokens: await store.usage.readTokens(key, now),
      monthlyTokenBudget: document.monthlyTokenBudget ?? null,
    };
    terminal.print(options.json ? formatJson(usage) : describeUsage(usage));
    if (takenBack !== undefined)
      terminal.say(`${counted(takenBack, "token")} of ${usage.month} are no longer counted`);
  });
}

interface Usage {
  month: string;
  messages: number;
  /** null: no cap. */
  monthlyMessageCap: number | null;
  modelTokens: number;
  monthlyTokenBudget: number | null;
}

function describeUsage({
  month,
  messages,
  monthlyMessageCap,
  modelTokens,
  monthlyTokenBudget,
}: Usage): string {
  return [
    `month     ${month}`,
    `messages  ${against(messages, monthlyMessageCap, "cap")}`,
    `tokens    ${against(modelTokens, monthlyTokenBudget, "budget")}`,
  ].join("\n");
}

function against(used: number, limit: number | null, what: string): string {
  if (limit === null) return `${used} (no ${what})`;
  const share = Math.floor((100 * used) / limit);
  return `${used} of ${limit} (${share} %)`;
}
