import type { BotIntent } from "../../../domain/bot.ts";
import { isFields, valueAt } from "../../yaml/plain.ts";

/** An intent of a text that may have mistakes, with its position. */
export type AnIntent = Omit<Partial<BotIntent>, "name"> & { name: string; at: number };

/** The intents that have a name. */
export function intentsOf(value: unknown): AnIntent[] {
  const intents = valueAt(value, ["intents"]);
  if (!Array.isArray(intents)) return [];
  return intents.flatMap((intent, at) =>
    isFields(intent) && typeof intent["name"] === "string" ? [{ ...intent, name: intent["name"], at }] : [],
  );
}

export const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

export function addressOfIntent(bot: string, name?: string): string {
  const base = `/bots/${encodeURIComponent(bot)}/intents`;
  return name === undefined ? base : `${base}/${encodeURIComponent(name)}`;
}
