import type { Change } from "../../domain/change.ts";
import type { BotId, ConversationId } from "../../domain/ids.ts";
import type { EpochMs, Month } from "../../domain/time.ts";
import type { DocumentsChange } from "../interface/knowledge.ts";

/** An instant in the audit log's format. */
export function isoOf(at: EpochMs): string {
  return new Date(at).toISOString();
}

/** The change for expired conversations; those of a day are one change. */
export function expiryOf(conversations: number, at: EpochMs): Change {
  return {
    kind: "conversations.expired",
    subject: isoOf(at).slice(0, 10),
    bots: [],
    fields: [{ field: "conversations", before: conversations, after: 0 }],
  };
}

/** The change for deleted conversations: their ids, and the number of messages, but no text. */
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

/** The change for a reset of the token count. */
export function tokensResetOf(id: BotId, month: Month, counted: number): Change {
  return {
    kind: "usage.tokens-reset",
    subject: id,
    bots: [id],
    fields: [{ field: `modelTokens of ${month}`, before: counted, after: 0 }],
  };
}

/** The change for a bot's documents. @param documents number of documents afterwards */
export function documentsChangeOf(
  bot: BotId,
  { stored, removed }: DocumentsChange,
  documents: number,
): Change {
  return {
    kind: "knowledge.changed",
    subject: bot,
    bots: [bot],
    fields: [
      { field: "documents.stored", after: stored },
      { field: "documents.removed", after: removed },
      { field: "documents", after: documents },
    ],
  };
}
