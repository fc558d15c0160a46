import { stringify } from "yaml";

import { BotDocument } from "../domain/bot.ts";

const FIELD_ORDER = Object.keys(BotDocument.properties) as (keyof BotDocument)[];

/** A bot as a YAML file; reading it again gives an equal document. */
export function exportBot(document: BotDocument): string {
  const fields = FIELD_ORDER.filter((field) => document[field] !== undefined);
  const ordered = Object.fromEntries(fields.map((field) => [field, document[field]]));
  return stringify(ordered, { aliasDuplicateObjects: false, lineWidth: 100 });
}
