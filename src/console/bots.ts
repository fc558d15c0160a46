import { signal } from "@preact/signals";

import type { BotSummary } from "../domain/operator/bots.ts";
import { ask } from "./api/client.ts";
import { asProblem } from "./api/resource.ts";
import { sayFault } from "./toasts.ts";

/** Every bot, for the sidebar and for filters; undefined until they are read. */
export const bots = signal<readonly BotSummary[] | undefined>(undefined);

/** Groups that wait in Improve, as far as a page has been told. */
export const waiting = signal<number | undefined>(undefined);

/** Reads the list of bots again, as after one was published. Where it cannot be read, it says so, and the list before stays. */
export async function refreshBots(): Promise<void> {
  try {
    bots.value = (await ask("GET /bots", {})).items;
  } catch (error) {
    sayFault(`The bots could not be loaded: ${asProblem(error).message}`);
  }
}

/** What a bot is called; its id where it is not known, as after it was deleted. */
export function botName(id: string): string {
  return bots.value?.find((bot) => bot.id === id)?.name ?? id;
}

/** More bots than these are searched, not read through. */
const MANY_BOTS = 8;

export const hasManyBots = (): boolean => (bots.value?.length ?? 0) > MANY_BOTS;

/** Whether a bot's name or id holds what is typed. */
export function isNamed({ id, name }: Pick<BotSummary, "id" | "name">, typed: string): boolean {
  const wanted = typed.trim().toLowerCase();
  return name.toLowerCase().includes(wanted) || id.includes(wanted);
}

/** Bots of a list that are named; the others are counted. */
const NAMED_BOTS = 3;

/** What bots are called, as "A, B, C and 208 more". */
export function botNames(ids: readonly string[]): string {
  const named = ids.slice(0, ids.length === NAMED_BOTS + 1 ? ids.length : NAMED_BOTS).map(botName);
  const others = ids.length - named.length;
  return `${named.join(", ")}${others > 0 ? ` and ${others} more` : ""}`;
}
