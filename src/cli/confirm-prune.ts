import type { BotDocument } from "../domain/bot.ts";
import type { BotId } from "../domain/ids.ts";
import type { ConversationCounts } from "../store/interface/conversations.ts";
import type { Store } from "../store/interface/store.ts";
import { UsageError } from "./exit-code.ts";
import { counted, formatTable } from "./format.ts";
import type { Terminal } from "./terminal.ts";

/** A bot that `--prune` deletes, with the counts of its data. */
export interface PrunedBot extends ConversationCounts {
  id: BotId;
}

/** The bots that are not among the documents. */
export async function findPruned(
  { bots, conversations }: Store,
  documents: readonly BotDocument[],
): Promise<PrunedBot[]> {
  const others = await bots.listOthers(documents);
  return Promise.all(others.map(async ({ id, key }) => ({ id, ...(await conversations.count(key)) })));
}

/** Names the bots to be deleted, with the number of their conversations. */
export function sayPruned({ say }: Pick<Terminal, "say">, pruned: readonly PrunedBot[]): void {
  say(
    `--prune deletes ${counted(pruned.length, "bot")} that ${pruned.length === 1 ? "is" : "are"} not in the files:`,
  );
  say(formatTable(["  BOT", "CONVERSATIONS", "MESSAGES"], pruned.map(rowOf)));
}

function rowOf({ id, conversations, messages }: PrunedBot): string[] {
  return [`  ${id}`, String(conversations), String(messages)];
}

/**
 * Asks whether to delete the bots.
 *
 * @throws UsageError without a terminal to ask on.
 */
export async function mayPrune(
  { isInteractive, confirm }: Pick<Terminal, "isInteractive" | "confirm">,
  pruned: readonly PrunedBot[],
): Promise<boolean> {
  const what = `${pruned.length === 1 ? "this bot" : `these ${pruned.length} bots`} permanently`;
  if (isInteractive) return confirm(`Delete ${what}?`);
  throw new UsageError(
    `nothing was changed: to delete ${what}, add --yes; to keep ${pruned.length === 1 ? "it" : "them"}, omit --prune`,
  );
}
