import type { Command } from "@commander-js/extra-typings";

import { getBot, openExistingStore } from "../data-folder.ts";
import { addExamples } from "../examples.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";

/** `parley bot enable` and `parley bot disable` */
export function addBotEnable(bot: Command, terminal: Terminal): void {
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
