import type { ParleyMessage } from "../public.d.ts";
import { KEPT_FOR_MS, readStored, type StoredConversation, storageKey } from "../stored.ts";

/** The messages so far, stored in the visitor's browser if the page allows it. */
export interface Transcript {
  readonly messages: () => readonly ParleyMessage[];
  readonly conversationId: () => string | undefined;
  readonly setConversationId: (id: string) => void;
  /** Adds a message and removes those whose ids begin with its id. */
  readonly add: (message: ParleyMessage) => void;
  readonly replace: (message: ParleyMessage) => void;
  /** Removes messages whose ids begin like this: one with its partial answer. */
  readonly drop: (id: string) => void;
  readonly setUnread: (count: number) => void;
  readonly unread: () => number;
  readonly clear: () => void;
  /** All data, for `restore`. */
  readonly snapshot: () => Kept;
  /** Replaces all data. */
  readonly restore: (kept: Partial<Kept>) => void;
  /** Reads what another tab has stored. */
  readonly reload: () => void;
}

/** Most messages stored; storage is small and shared with the page. Older ones stay in memory. */
const STORED_MESSAGES = 200;

/** A conversation as it stands. */
export type Kept = Omit<StoredConversation, "expiresAt">;

const NOTHING: Kept = { messages: [], unread: 0 };

export function openTranscript(storage: Storage | undefined, botId: string, now: () => number): Transcript {
  const read = (): Kept => ({ ...NOTHING, ...readStored(storage, botId, now()) });
  let kept = read();

  function keep(changed: Partial<Kept>): void {
    kept = { ...kept, ...changed };
    const messages = kept.messages.slice(-STORED_MESSAGES);
    try {
      storage?.setItem(
        storageKey(botId),
        JSON.stringify({ ...kept, messages, expiresAt: now() + KEPT_FOR_MS }),
      );
    } catch {
      storage = undefined; // Storage is full: the conversation stays in memory.
    }
  }

  return {
    messages: () => kept.messages,
    conversationId: () => kept.conversationId,
    setConversationId: (conversationId) => (kept = { ...kept, conversationId }),
    add: (message) =>
      keep({ messages: [...kept.messages.filter(({ id }) => !id.startsWith(message.id)), message] }),
    replace: (message) =>
      keep({ messages: kept.messages.map((old) => (old.id === message.id ? message : old)) }),
    drop: (id) => keep({ messages: kept.messages.filter((message) => !message.id.startsWith(id)) }),
    unread: () => kept.unread,
    setUnread: (unread) => unread === kept.unread || keep({ unread }),
    clear() {
      kept = NOTHING;
      storage?.removeItem(storageKey(botId));
    },
    snapshot: () => kept,
    restore: keep,
    reload: () => (kept = read()),
  };
}
