import { knowledgeOf } from "../bots/bot-knowledge.ts";
import {
  type Contradiction,
  contradictionInWords,
  findContradictions,
} from "../operate/contradictions/find-contradictions.ts";
import type { Store } from "../store/interface/store.ts";
import { printable } from "./format.ts";
import type { Terminal } from "./terminal.ts";

/** Warns on stderr of answers that contradict the bot's documents. @returns the contradictions by bot, without bots that have none. */
export async function sayContradictions(
  store: Pick<Store, "bots" | "knowledge">,
  { say, colours }: Pick<Terminal, "say" | "colours">,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly Contradiction[]>> {
  const byBot = new Map<string, readonly Contradiction[]>();
  for (const id of ids) {
    const bot = await store.bots.find(id);
    if (!bot) continue;
    const found = await findContradictions({
      document: bot.document,
      knowledge: await knowledgeOf(store, bot.key),
    });
    for (const contradiction of found)
      say(colours.err.yellow(`${id}: warning: ${printable(contradictionInWords(contradiction))}`));
    if (found.length > 0) byBot.set(id, found);
  }
  return byBot;
}
