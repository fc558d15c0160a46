import type { Change } from "../../domain/change.ts";
import type { BotId, ConversationId } from "../../domain/ids.ts";

/** What is told of conversations that are gone: which they were, and how much, but nothing of what was said. */
export function deletionOf(ids: readonly ConversationId[], bots: Iterable<BotId>, messages: number): Change {
  return {
    kind: "conversations.deleted",
    subject: ids.length === 1 ? ids[0]! : `${ids.length} conversations`,
    bots: [...new Set(bots)],
    fields: [
      { field: "conversations", removed: ids },
      { field: "messages", before: messages, after: 0 },
    ],
  };
}
