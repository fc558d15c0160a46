import { signal } from "@preact/signals";

import type { BotSummary } from "../domain/operator/bots.ts";
import { ask } from "./api/client.ts";
import { attempt } from "./toasts.ts";

/** All bots, for the sidebar and for filters; undefined until they are read. */
export const bots = signal<readonly BotSummary[] | undefined>(undefined);

/** Number of groups that wait in Improve; undefined until a page has read it. */
export const waiting = signal<number | undefined>(undefined);

/** Reads the list of bots again, for example after a publication. If that fails, a message says so and the earlier list stays. */
export async function refreshBots(): Promise<void> {
  await attempt("The bots could not be loaded", async () => {
    bots.value = (await ask("GET /bots", {})).items;
  });
}

/** Name of a bot, or its id if it is not known, for example after it was deleted. */
export function botName(id: string): string {
  return bots.value?.find((bot) => bot.id === id)?.name ?? id;
}

/** From this number of bots on, lists of bots get a search field. */
const MANY_BOTS = 8;

export const hasManyBots = (): boolean => (bots.value?.length ?? 0) > MANY_BOTS;

/** Whether a bot's name or id contains the text. */
export function isNamed({ id, name }: Pick<BotSummary, "id" | "name">, typed: string): boolean {
  const wanted = typed.trim().toLowerCase();
  return name.toLowerCase().includes(wanted) || id.includes(wanted);
}

/** Number of bots that a list names; the others are counted. */
const NAMED_BOTS = 3;

/** Names of bots as "A, B, C and 208 more". */
export function botNames(ids: readonly string[]): string {
  const named = ids.slice(0, ids.length === NAMED_BOTS + 1 ? ids.length : NAMED_BOTS).map(botName);
  const others = ids.length - named.length;
  return `${named.join(", ")}${others > 0 ? ` and ${others} more` : ""}`;
}
