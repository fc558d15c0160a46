import type { Command } from "@commander-js/extra-typings";

import { isTextKept } from "../../domain/conversation.ts";
import { HANDOFF_FIELDS, type HandoffEvent } from "../../domain/handoff.ts";
import { stateInWords, type TranscriptEntry, transcriptOf } from "../../domain/transcript.ts";
import type { StoredTurn } from "../../store/interface/conversations.ts";
import type { StoredFeedback, StoredHandoff } from "../../store/interface/handoffs.ts";
import { conversationAsJson, readStored, type StoredConversation } from "../conversation-json.ts";
import { openExistingStore } from "../data-folder.ts";
import { addExamples } from "../examples.ts";
import { InputError } from "../exit-code.ts";
import { formatInstant, formatJson, NOT_KEPT, printable, ratingInWords, sourceInWords } from "../format.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Colours, Terminal } from "../terminal.ts";
import { addConversationDelete } from "./conversation-delete.ts";
import { addConversationExport } from "./conversation-export.ts";
import { addConversationList } from "./conversation-list.ts";

/** `parley conversation …`: reading, exporting and erasing conversations, for requests of access and erasure. */
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

/** The body of `conversation show`: messages, hand-offs and operators' messages in order of time. */
function describeConversation(stored: StoredConversation, colours: Colours): string[] {
  return transcriptOf(stored).map((entry) => describeEntry(entry, stored.feedback, colours));
}

function describeEntry(
  entry: TranscriptEntry<StoredTurn, StoredHandoff>,
  feedback: StoredConversation["feedback"],
  colours: Colours,
): string {
  if (entry.kind === "handoff") return describeHandoff(entry.handoff, colours);
  if (entry.kind === "event") return describeEvent(entry.event, colours);
  const { at, requestId } = entry.turn;
  if (entry.kind === "turn") return describeTurn(entry.turn, feedback.get(requestId), colours);
  const to = `handed off to ${printable(entry.to ?? "a person")}`;
  return linesOf(colours, [at, requestId, to], `> ${printable(entry.input ?? NOT_KEPT)}`);
}

function describeTurn(turn: StoredTurn, feedback: StoredFeedback | undefined, colours: Colours): string {
  const { intent = "no intent", metadata, state, subject } = turn;
  const facts = [intent, metadata.enforcementReason ?? "allowed", ...(state === "complete" ? [] : [state])];
  return linesOf(
    colours,
    [turn.at, turn.requestId, facts.join(", ")],
    ...(isTextKept(turn) ? [`> ${printable(turn.input)}`, printable(turn.response)] : [NOT_KEPT]),
    ...(subject && subject.intent !== turn.intent ? [colours.dim(printable(`about ${subject.name}`))] : []),
    ...(metadata.sources ?? []).map((source) => colours.dim(printable(`from ${sourceInWords(source)}`))),
    ...(feedback ? [colours.dim(ratingInWords(feedback))] : []),
  );
}

/** The contact details that the visitor entered. */
function describeHandoff(
  { id, createdAt, state, fields, sharesTranscript }: StoredHandoff,
  colours: Colours,
) {
  const shares = sharesTranscript ? "; the conversation may be sent along" : "";
  return linesOf(
    colours,
    [createdAt, id, `asked for a person, ${state}${shares}`],
    ...HANDOFF_FIELDS.filter((field) => fields[field] !== undefined).map(
      (field) => `${field}: ${printable(fields[field]!)}`,
    ),
  );
}

function describeEvent(event: HandoffEvent, colours: Colours): string {
  const { at, kind, name = "", text } = event;
  if (kind === "state") return linesOf(colours, [at, printable(stateInWords(event))]);
  return linesOf(
    colours,
    [at, printable(name), kind],
    kind === "visitor" ? `> ${printable(text)}` : printable(text),
  );
}

function linesOf(colours: Colours, [at, ...facts]: [number, ...string[]], ...lines: string[]): string {
  const head = [formatInstant(at), ...facts.filter((fact) => fact !== "")].join("  ");
  return ["", colours.dim(head), ...lines].join("\n");
}
