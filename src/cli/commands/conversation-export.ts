import type { Command } from "@commander-js/extra-typings";

import type { ConversationKey, TurnFilter } from "../../store/interface/conversations.ts";
import type { Store } from "../../store/interface/store.ts";
import { addConversationFilter, turnFilterOf } from "../conversation-filter.ts";
import { conversationAsJson, readStored } from "../conversation-json.ts";
import { openExistingStore } from "../data-folder.ts";
import { addExamples } from "../examples.ts";
import { counted } from "../format.ts";
import { openOutput } from "../output.ts";
import { Progress } from "../progress.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";

/** Characters written at a time. */
const CHUNK = 64 * 1024;

/** `parley conversation export` */
export function addConversationExport(conversation: Command, terminal: Terminal): void {
  const command = addConversationFilter(conversation.command("export"), terminal)
    .description(
      "write conversations as JSON lines, one each with all turns, hand-offs and operators' messages, oldest first: all, or those with a message that meets all options",
    )
    .option("--jsonl", "JSON lines, the only format")
    .option("--output <file>", "write to this file, readable only by its owner; without it, to stdout")
    .option("--force", "replace an existing file");
  addExamples(
    addSettings(command, ["data", "store"]),
    "parley conversation export --jsonl --output conversations.jsonl",
    "parley conversation export --bot acme-support --since 2026-11-01 | gzip > november.jsonl.gz",
  );
  command.action(async (options) => {
    const config = readConfig(terminal, options);
    await using store = await openExistingStore(terminal, config);
    const filter = await turnFilterOf(store, options);
    await using output = await openOutput(terminal, {
      file: options.output,
      replace: options.force === true,
      dataDir: config.data,
    });
    const written = await writeAll(store, filter, terminal, (text) => output.write(text));
    await output.finish();
    const where = options.output === undefined ? "" : ` to ${options.output}`;
    terminal.say(
      `exported ${counted(written.conversations, "conversation")} with ${counted(written.turns, "turn")}${where}`,
    );
  });
}

/** Reads and writes one conversation at a time to limit memory use. */
async function writeAll(
  store: Store,
  filter: TurnFilter,
  terminal: Terminal,
  write: (text: string) => Promise<void>,
): Promise<{ conversations: number; turns: number }> {
  using progress = new Progress(terminal);
  const keys = await chosenKeys(store.conversationSearch.find(filter));
  const written = { conversations: 0, turns: 0 };
  let lines = "";
  for (const [place, key] of keys.entries()) {
    const head = await store.conversations.findHeadOf(key);
    // It may have been deleted since the search.
    if (!head) continue;
    const stored = await readStored(store, head);
    lines += `${JSON.stringify(conversationAsJson(head, stored))}\n`;
    written.conversations++;
    written.turns += stored.turns.length;
    if (lines.length < CHUNK) continue;
    await write(lines);
    lines = "";
    progress.report("exporting conversations", place / keys.length);
  }
  await write(lines);
  return written;
}

/** Oldest first. */
async function chosenKeys(found: AsyncIterable<{ key: ConversationKey }>): Promise<ConversationKey[]> {
  const keys = await Array.fromAsync(found, ({ key }) => key);
  return keys.toSorted((a, b) => (a < b ? -1 : 1));
}
