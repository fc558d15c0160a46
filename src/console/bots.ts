import { signal } from "@preact/signals";

import type { BotSummary } from "../domain/operator/bots.ts";
import { ask } from "./api/client.ts";

/** Every bot, for the sidebar and for filters; undefined until they are read. */
export const bots = signal<readonly BotSummary[] | undefined>(undefined);

/** Groups that wait in Improve, as far as a page has been told. */
export const waiting = signal<number | undefined>(undefined);

/** Reads the list of bots again, as after one was published. */
export async function refreshBots(): Promise<void> {
  bots.value = (await ask("GET /bots", {})).items;
}

/** What a bot is called; its id where it is not known, as after it was deleted. */
export function botName(id: string): string {
  return bots.value?.find((bot) => bot.id === id)?.name ?? id;
}
