import type { Command } from "@commander-js/extra-typings";

import type { EpochMs } from "../../domain/time.ts";
import { eraseConversations, type ErasedConversations } from "../../operate/erase.ts";
import type {
  ConversationCounts,
  ConversationToErase,
  ErasureFilter,
} from "../../store/interface/conversations.ts";
import type { Store } from "../../store/interface/store.ts";
import { REWRITTEN_BYTES } from "../../store/sqlite/wipe-files.ts";
import { getBot, openExistingStore } from "../data-folder.ts";
import { addExamples } from "../examples.ts";
import { InputError, UsageError } from "../exit-code.ts";
import { counted, formatInstant, formatJson, printable } from "../format.ts";
import { pastParser } from "../option-values.ts";
import { Progress } from "../progress.ts";
import { sayRemains, warn } from "../remains.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";

const TOO_LARGE =
  "the file is too large to rewrite while messages wait, so it may still contain parts of the deleted data; --rewrite rewrites it, and messages wait";

interface DeleteOptions {
  before?: EpochMs | undefined;
  matching?: string | undefined;
  bot?: string | undefined;
  yes?: true | undefined;
  dryRun?: true | undefined;
  rewrite?: true | undefined;
  json?: true | undefined;
}

/** `parley conversation delete` */
export function addConversationDelete(conversation: Command, terminal: Terminal): void {
  const command = conversation
    .command("delete")
    .description(
      "delete one conversation, or all that meet the options, with all their turns; this cannot be undone",
    )
    .argument("[id]", "conversationId of any of its answers")
    .option(
      "--before <when>",
      "all without a message since then: 90d, 12h, 2w or a date such as 2026-11-01",
      pastParser(terminal.now),
    )
    .option(
      "--matching <text>",
      "all that contain this text, in upper or lower case: in messages, answers, contact forms or messages with operators",
    )
    .option("--bot <id>", "of these, only those with this bot")
    .option("--dry-run", "print how many would be deleted, and delete nothing")
    .option("--yes", "do not ask")
    .option("--rewrite", "rewrite the database file whatever its size; messages wait until it is done")
    .option("--json", "print JSON");
  addExamples(
    addSettings(command, ["data", "store"]),
    "parley conversation delete cv_…",
    "parley conversation delete --before 90d --dry-run",
    'parley conversation delete --matching "ann@example.org" --yes',
  );
  command.action(async (id, options) => {
    const config = readConfig(terminal, options);
    refuseUnclear(id, options);
    await using store = await openExistingStore(terminal, config);
    const chosen = id === undefined ? await choose(store, options) : [await getOne(store, id)];
    const filter = await filterOf(store, options);
    const isAsked = id === undefined && chosen.length > 0 && options.yes !== true;
    if (options.dryRun) return report(terminal, options, sumOf(chosen), undefined);
    if (isAsked && !(await mayDelete(terminal, chosen, options))) return terminal.say("nothing was deleted");
    const { wiped, ...erased } = await erase(store, terminal, chosen, filter, options);
    if (id !== undefined) terminal.say(`${id} is deleted`);
    report(terminal, options, erased, id);
    if (!wiped) return;
    if (!wiped.isRewritten) warn(terminal, TOO_LARGE);
    sayRemains(terminal, wiped, config);
  });
}

function refuseUnclear(id: string | undefined, { before, matching, bot }: DeleteOptions): void {
  const isByFilter = before !== undefined || matching !== undefined;
  if (id !== undefined && (isByFilter || bot !== undefined)) {
    throw new UsageError("give either a conversation, or --before and --matching");
  }
  if (id === undefined && !isByFilter) {
    throw new UsageError("give a conversation, or --before or --matching");
  }
  if (matching?.trim() === "") throw new UsageError("--matching is empty and would match everything");
}

async function filterOf(store: Store, { before, matching, bot }: DeleteOptions): Promise<ErasureFilter> {
  return {
    ...(bot !== undefined && { bot: (await getBot(store, bot)).key }),
    ...(before !== undefined && { idleSince: before }),
    ...(matching !== undefined && { text: matching }),
  };
}

async function choose(store: Store, options: DeleteOptions): Promise<ConversationToErase[]> {
  return store.erasure.choose(await filterOf(store, options));
}

async function getOne({ conversations }: Store, id: string): Promise<ConversationToErase> {
  const head = await conversations.findHead(id);
  if (head) return { id: head.id, messages: (await conversations.listTurns(id)).length };
  throw new InputError(`no conversation \`${id}\`: it may be mistyped, deleted or expired`);
}

function sumOf(chosen: readonly ConversationToErase[]): ConversationCounts {
  return { conversations: chosen.length, messages: chosen.reduce((sum, { messages }) => sum + messages, 0) };
}

/** @throws UsageError without a terminal to ask on. */
async function mayDelete(
  { isInteractive, confirm, say }: Terminal,
  chosen: readonly ConversationToErase[],
  { before, matching }: DeleteOptions,
): Promise<boolean> {
  const what = inWords(sumOf(chosen));
  const why = [
    ...(before === undefined ? [] : [`without a message since ${formatInstant(before)}`]),
    ...(matching === undefined ? [] : [`that contain "${printable(matching)}"`]),
  ].join(", ");
  if (!isInteractive)
    throw new UsageError(`this deletes ${what}; confirm with --yes, or look with --dry-run`);
  say(`this deletes ${what}: those ${why}`);
  return confirm("Delete them permanently?");
}

function inWords({ conversations, messages }: ConversationCounts): string {
  return `${counted(conversations, "conversation")} with ${counted(messages, "message")}`;
}

async function erase(
  { erasure }: Store,
  terminal: Terminal,
  chosen: readonly ConversationToErase[],
  filter: ErasureFilter,
  options: DeleteOptions,
): Promise<ErasedConversations> {
  using progress = new Progress(terminal);
  return eraseConversations({ erasure }, chosen, {
    filter,
    mostRewrittenBytes: options.rewrite ? Infinity : REWRITTEN_BYTES,
    onStep: (share) => progress.report("deleting conversations", share),
  });
}

function report(
  { print, say }: Terminal,
  { json, dryRun }: DeleteOptions,
  counts: ConversationCounts,
  id: string | undefined,
): void {
  if (json) return print(formatJson({ ...counts, deleted: !dryRun }));
  if (id === undefined)
    say(dryRun ? `dry run: ${inWords(counts)} would be deleted` : `deleted ${inWords(counts)}`);
}
