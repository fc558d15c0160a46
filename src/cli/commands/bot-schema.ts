import type { Command } from "@commander-js/extra-typings";

import { botJsonSchema } from "../../seed/bot-json-schema.ts";
import { addExamples } from "../examples.ts";
import { formatJson } from "../format.ts";
import { addSettings } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";

/** `parley bot schema` */
export function addBotSchema(bot: Command, terminal: Terminal): void {
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
