import type { Command } from "@commander-js/extra-typings";

import type { Terminal } from "../terminal.ts";
import { addBotDelete } from "./bot-delete.ts";
import { addBotEnable } from "./bot-enable.ts";
import { addBotList } from "./bot-list.ts";
import { addBotShow } from "./bot-show.ts";

/** `parley bot …` */
export function addBotCommands(program: Command, terminal: Terminal): void {
  const bot = program.command("bot").description("look at bots and change them");
  addBotList(bot, terminal);
  addBotShow(bot, terminal);
  addBotEnable(bot, terminal);
  addBotDelete(bot, terminal);
}
