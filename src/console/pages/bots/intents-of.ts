import type { BotIntent } from "../../../domain/bot.ts";
import type { Path } from "../../yaml/place.ts";
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

/** The entries of a list of a text that may have mistakes; none where no list stands there. */
export function entriesAt(value: unknown, path: Path): readonly unknown[] {
  const entries = valueAt(value, path);
  return Array.isArray(entries) ? entries : [];
}

/** The names of slots that have one. */
export function slotNamesOf(slots: readonly unknown[]): string[] {
  return slots.flatMap((slot) => (isFields(slot) && typeof slot["name"] === "string" ? slot["name"] : []));
}

export function addressOfIntent(bot: string, name?: string): string {
  const base = `/bots/${encodeURIComponent(bot)}/intents`;
  return name === undefined ? base : `${base}/${encodeURIComponent(name)}`;
}
