import type { Command } from "@commander-js/extra-typings";

import { isTextKept } from "../../domain/conversation.ts";
import type { StoredTurn } from "../../store/interface/conversations.ts";
import type { StoredFeedback } from "../../store/interface/handoffs.ts";
import { conversationAsJson } from "../conversation-json.ts";
import { openExistingStore } from "../data-folder.ts";
import { addExamples } from "../examples.ts";
import { InputError } from "../exit-code.ts";
import { formatInstant, formatJson, NOT_KEPT, printable, ratingInWords } from "../format.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Colours, Terminal } from "../terminal.ts";
import { addConversationDelete } from "./conversation-delete.ts";
import { addConversationExport } from "./conversation-export.ts";
import { addConversationList } from "./conversation-list.ts";

/** `parley conversation …`: what visitors said, and requests of access and erasure (decisions §9). */
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
    .description("print everything that is stored of a conversation")
    .argument("<id>", "conversationId of any of its answers")
    .option("--json", "print JSON");
  addExamples(addSettings(command, ["data", "store"]), "parley conversation show cv_… --json");
  command.action(async (id, options) => {
    await using store = await openExistingStore(terminal, readConfig(terminal, options));
    const turns = await store.conversations.listTurns(id);
    const [first] = turns;
    if (!first) throw unknownConversation(id);
    const feedback = await store.feedback.listOf(id);
    if (options.json) return terminal.print(formatJson(conversationAsJson(first, turns, feedback)));
    const given = new Map(feedback.map((each) => [each.requestId, each]));
    terminal.print(`${id}, with ${first.botId}`);
    for (const turn of turns)
      terminal.print(describeTurn(turn, given.get(turn.requestId), terminal.colours.out));
  });
}

function unknownConversation(id: string): InputError {
  return new InputError(`no conversation \`${id}\`: mistyped, deleted, or kept no longer`);
}

function describeTurn(turn: StoredTurn, feedback: StoredFeedback | undefined, colours: Colours): string {
  const { intent = "no intent", metadata, state } = turn;
  const facts = [intent, metadata.enforcementReason ?? "allowed", ...(state === "complete" ? [] : [state])];
  return [
    "",
    colours.dim(`${formatInstant(turn.at)}  ${turn.requestId}  ${facts.join(", ")}`),
    ...(isTextKept(turn) ? [`> ${printable(turn.input)}`, printable(turn.response)] : [NOT_KEPT]),
    ...(feedback ? [colours.dim(ratingInWords(feedback))] : []),
  ].join("\n");
}
