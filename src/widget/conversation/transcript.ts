import type { ParleyMessage } from "../public.d.ts";
import { KEPT_FOR_MS, readStored, type StoredConversation, storageKey } from "../stored.ts";

/** The messages so far, kept in the visitor's browser as far as the page allows. */
export interface Transcript {
  readonly messages: () => readonly ParleyMessage[];
  readonly conversationId: () => string | undefined;
  readonly setConversationId: (id: string) => void;
  /** Adds a message in the place of any whose id begins with its own. */
  readonly add: (message: ParleyMessage) => void;
  readonly replace: (message: ParleyMessage) => void;
  /** Drops the messages whose id begins so: one, with what there is of its answer. */
  readonly drop: (id: string) => void;
  readonly setUnread: (count: number) => void;
  readonly unread: () => number;
  readonly clear: () => void;
  /** The whole of it, for `restore`. */
  readonly snapshot: () => Kept;
  /** Puts these in the place of what there is. */
  readonly restore: (kept: Partial<Kept>) => void;
  /** Takes over what another tab has written. */
  readonly reload: () => void;
}

/** More than these are only kept in memory: storage is small, and shared with the page. */
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
      storage = undefined; // Storage is full: this page keeps the conversation in memory.
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
