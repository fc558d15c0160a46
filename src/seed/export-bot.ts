import { stringify } from "yaml";

import { BotDocument } from "../domain/bot.ts";
import { parseBotFiles } from "./bot-file.ts";

const FIELD_ORDER = Object.keys(BotDocument.properties) as (keyof BotDocument)[];

/** A bot as a YAML file; reading it again gives an equal document. */
export function exportBot(document: BotDocument): string {
  const fields = FIELD_ORDER.filter((field) => document[field] !== undefined);
  const ordered = Object.fromEntries(fields.map((field) => [field, document[field]]));
  return stringify(ordered, { aliasDuplicateObjects: false, lineWidth: 100 });
}

/** The stored text of a bot's version, if it still describes the bot; undefined if it differs or is missing. */
export function currentText(
  yaml: string,
  { document, enabled }: { document: BotDocument; enabled: boolean },
): string | undefined {
  const { bots, problems } = parseBotFiles([{ name: "stored", text: yaml }], []);
  const [bot] = bots;
  if (bots.length !== 1 || bot === undefined || problems.some(({ severity }) => severity === "error"))
    return undefined;
  const { enabled: asWritten = true, ...written } = bot.document;
  return asWritten === enabled && Bun.deepEquals(written, document, true) ? yaml : undefined;
}
