import type { Command } from "@commander-js/extra-typings";

import { isTextKept } from "../../domain/conversation.ts";
import type {
  ConversationKey,
  ConversationSummary,
  FoundConversation,
  TurnFilter,
} from "../../store/interface/conversations.ts";
import type { ConversationFinder } from "../../store/interface/store.ts";
import { addConversationFilter, turnFilterOf } from "../conversation-filter.ts";
import { openExistingStore } from "../data-folder.ts";
import { addExamples } from "../examples.ts";
import { InputError } from "../exit-code.ts";
import { excerpt, formatInstant, formatJson, formatTable, NOT_KEPT } from "../format.ts";
import { parseCount } from "../option-values.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";

const DEFAULT_LIMIT = 20;
const EXCERPT_LENGTH = 60;

/** `parley conversation list` */
export function addConversationList(conversation: Command, terminal: Terminal): void {
  const command = addConversationFilter(conversation.command("list"), terminal)
    .description(
      "list conversations, newest first: those with a message that meets all options; the latest such message is shown",
    )
    .option("--limit <number>", "number of conversations to list", parseCount, DEFAULT_LIMIT)
    .option("--before <id>", "the next page: conversations after this one")
    .option("--json", "print JSON");
  addExamples(
    addSettings(command, ["data", "store"]),
    "parley conversation list --bot acme-support --since 7d",
    "parley conversation list --reason no_intent_match --limit 50",
    'parley conversation list --intent "orders.*" --grep "late"',
  );
  command.action(async (options) => {
    await using store = await openExistingStore(terminal, readConfig(terminal, options));
    const { conversationSearch: search } = store;
    const before = options.before === undefined ? undefined : await getKey(search, options.before);
    const page = await findPage(search, await turnFilterOf(store, options), { limit: options.limit, before });
    const conversations = await search.summarise(page.found);
    const next = page.hasMore ? conversations.at(-1)?.conversationId : undefined;
    if (options.json) return terminal.print(formatJson(asJson(conversations, next)));
    if (conversations.length === 0) return terminal.say("no conversation meets these options");
    terminal.print(describe(conversations));
    if (next !== undefined) terminal.say(`there are more: add --before ${next}, or a higher --limit`);
  });
}

async function getKey(search: ConversationFinder, id: string): Promise<ConversationKey> {
  const key = await search.findKey(id);
  if (key !== undefined) return key;
  throw new InputError(`no conversation \`${id}\` to continue from: it may be mistyped, deleted or expired`);
}

/** The conversations after `before`, or from the start, and whether there are more. */
async function findPage(
  search: ConversationFinder,
  filter: TurnFilter,
  { limit, before }: { limit: number; before: ConversationKey | undefined },
): Promise<{ found: FoundConversation[]; hasMore: boolean }> {
  const found: FoundConversation[] = [];
  let isBehind = before === undefined;
  for await (const conversation of search.find(filter)) {
    if (isBehind && found.length === limit) return { found, hasMore: true };
    if (isBehind) found.push(conversation);
    isBehind ||= conversation.key === before;
  }
  return { found, hasMore: false };
}

function asJson(conversations: readonly ConversationSummary[], next: string | undefined) {
  return {
    conversations: conversations.map(({ startedAt, latest, ...conversation }) => ({
      ...conversation,
      startedAt: formatInstant(startedAt),
      /** Text is null if it was not stored. */
      latest: {
        ...latest,
        input: isTextKept(latest) ? latest.input : null,
        at: formatInstant(latest.at),
      },
    })),
    /** Value for `--before`; null on the last page. */
    next: next ?? null,
  };
}

function cameTo({ outcome, intent }: ConversationSummary["latest"]): string {
  if (outcome === "handoff") return "asked for a person";
  return outcome === "allowed" ? (intent ?? "allowed") : outcome;
}

function messageOf(latest: ConversationSummary["latest"]): string {
  if (isTextKept(latest)) return excerpt(latest.input, EXCERPT_LENGTH);
  return latest.outcome === "handoff" ? "" : NOT_KEPT;
}

function describe(conversations: readonly ConversationSummary[]): string {
  const rows = conversations.map(({ conversationId, botId, turns, latest }) => [
    formatInstant(latest.at),
    conversationId,
    botId,
    String(turns),
    cameTo(latest),
    messageOf(latest),
  ]);
  return formatTable(["AT", "CONVERSATION", "BOT", "TURNS", "OUTCOME", "MESSAGE"], rows);
}
