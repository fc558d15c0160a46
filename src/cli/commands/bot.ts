import type { Command } from "@commander-js/extra-typings";

import { addExamples } from "../examples.ts";
import type { Terminal } from "../terminal.ts";
import { addBotCheckOrigin } from "./bot-check-origin.ts";
import { addBotDelete } from "./bot-delete.ts";
import { addBotEnable } from "./bot-enable.ts";
import { addBotExport } from "./bot-export.ts";
import { addBotList } from "./bot-list.ts";
import { addBotSchema } from "./bot-schema.ts";
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
