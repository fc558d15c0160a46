import type { BotIntent } from "../../../domain/bot.ts";
import { isFields, valueAt } from "../../yaml/plain.ts";

/** An intent as it stands in a text that may have mistakes. */
export type AnIntent = Partial<BotIntent> & { name: string };

export function intentsOf(value: unknown): AnIntent[] {
  const intents = valueAt(value, ["intents"]);
  if (!Array.isArray(intents)) return [];
  return intents.filter(
    (intent): intent is AnIntent => isFields(intent) && typeof intent["name"] === "string",
  );
}

export const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

export function addressOfIntent(bot: string, name?: string): string {
  const base = `/bots/${encodeURIComponent(bot)}/intents`;
  return name === undefined ? base : `${base}/${encodeURIComponent(name)}`;
}
