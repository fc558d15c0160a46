import { knowledgeOf } from "../bots/bot-knowledge.ts";
import type { BotDocument } from "../domain/bot.ts";
import type { BotId } from "../domain/ids.ts";
import {
  type Contradiction,
  contradictionInWords,
  findContradictions,
} from "../operate/contradictions/find-contradictions.ts";
import type { BotDifference, SeedOutcome } from "../store/interface/bots.ts";
import type { ConversationCounts } from "../store/interface/conversations.ts";
import type { Store } from "../store/interface/store.ts";
import { describeDifference } from "./change-report.ts";
import { InputError, UsageError } from "./exit-code.ts";
import { counted, formatTable, printable } from "./format.ts";
import type { Terminal } from "./terminal.ts";

type Undoing = SeedOutcome & { undoes: BotDifference };

/** Prints which console changes a seed overwrites, or would overwrite. */
export function sayUndone(
  { say, colours }: Pick<Terminal, "say" | "colours">,
  outcomes: readonly SeedOutcome[],
  isDone: boolean,
): void {
  for (const { botId, change, undoes } of undoingAmong(outcomes)) {
    const whose = change === "deleted" ? "was published in the console" : "was changed in the console";
    const what = isDone ? "this was overwritten" : "seeding overwrites";
    say(`${colours.err.bold(botId)} ${whose}; ${what}:`);
    say(describeDifference(undoes, colours.err));
  }
}

/** The error of a seed that was refused because of console changes, printed after their list. */
export function consoleChangesError(outcomes: readonly SeedOutcome[]): InputError {
  const ids = undoingAmong(outcomes).map(({ botId }) => botId);
  const bots = ids.length === 1 ? ids[0]! : `${counted(ids.length, "bot")} (${ids.join(", ")})`;
  return new InputError(
    `${bots} would lose changes published in the console; nothing was changed. \`parley bot export\` prints the current text for the ` +
      "file; --force overwrites it",
  );
}

export function undoingAmong(outcomes: readonly SeedOutcome[]): Undoing[] {
  return outcomes.filter((outcome): outcome is Undoing => outcome.undoes !== undefined);
}

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
