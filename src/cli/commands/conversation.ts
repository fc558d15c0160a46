import type { Command } from "@commander-js/extra-typings";

import { conversationAsJson, readStored } from "../conversation-json.ts";
import { describeConversation } from "../conversation-report.ts";
import { openExistingStore } from "../data-folder.ts";
import { addExamples } from "../examples.ts";
import { InputError } from "../exit-code.ts";
import { formatJson } from "../format.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";
import { addConversationDelete } from "./conversation-delete.ts";
import { addConversationExport } from "./conversation-export.ts";
import { addConversationList } from "./conversation-list.ts";

/** `parley conversation …`: reading, exporting and erasing conversations, for requests of access and erasure (decisions §9). */
export function addConversationCommands(program: Command, terminal: Terminal): void {
  const conversation = program
    .command("conversation")
    .description("find, show, export or delete conversations");
  addExamples(
    conversation,
    "parley conversation list --reason no_intent_match",
    "parley conversation show cv_…",
    "parley conversation export --output conversations.jsonl",
  );
  addConversationList(conversation, terminal);
  addShow(conversation, terminal);
  addConversationExport(conversation, terminal);
  addConversationDelete(conversation, terminal);
}

function addShow(conversation: Command, terminal: Terminal): void {
  const command = conversation
    .command("show")
    .description("print all stored data of a conversation")
    .argument("<id>", "conversationId of any of its answers")
    .option("--json", "print JSON");
  addExamples(addSettings(command, ["data", "store"]), "parley conversation show cv_… --json");
  command.action(async (id, options) => {
    await using store = await openExistingStore(terminal, readConfig(terminal, options));
    const head = await store.conversations.findHead(id);
    if (!head) throw unknownConversation(id);
    const stored = await readStored(store, head);
    if (options.json) return terminal.print(formatJson(conversationAsJson(head, stored)));
    terminal.print(`${id}, with ${head.botId}`);
    for (const entry of describeConversation(stored, terminal.colours.out)) terminal.print(entry);
  });
}

function unknownConversation(id: string): InputError {
  return new InputError(`no conversation \`${id}\`: it may be mistyped, deleted or expired`);
}
