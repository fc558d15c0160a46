import type { ParleyMessage } from "../public.d.ts";
import { KEPT_FOR_MS, readStored, storageKey } from "../stored.ts";

/** The messages so far, kept in the visitor's browser as far as the page allows. */
export interface Transcript {
  readonly messages: () => readonly ParleyMessage[];
  readonly conversationId: () => string | undefined;
  readonly setConversationId: (id: string) => void;
  readonly add: (message: ParleyMessage) => void;
  readonly replace: (message: ParleyMessage) => void;
  readonly drop: (id: string) => void;
  readonly setUnread: (count: number) => void;
  readonly unread: () => number;
  readonly clear: () => void;
  /** Takes over what another tab has written. */
  readonly reload: () => void;
}

/** More than these are only kept in memory: storage is small, and shared with the page. */
const STORED_MESSAGES = 200;

export function openTranscript(storage: Storage | undefined, botId: string, now: () => number): Transcript {
  let messages: readonly ParleyMessage[] = [];
  let conversationId: string | undefined;
  let unread = 0;

  function reload(): void {
    const stored = readStored(storage, botId, now());
    messages = stored?.messages ?? [];
    conversationId = stored?.conversationId;
    unread = stored?.unread ?? 0;
  }

  function save(): void {
    const kept = {
      conversationId,
      messages: messages.slice(-STORED_MESSAGES),
      unread,
      expiresAt: now() + KEPT_FOR_MS,
    };
    try {
      storage?.setItem(storageKey(botId), JSON.stringify(kept));
    } catch {
      storage = undefined; // Storage is full: this page keeps the conversation in memory.
    }
  }

  function keep(next: readonly ParleyMessage[]): void {
    messages = next;
    save();
  }

  reload();
  return {
    messages: () => messages,
    conversationId: () => conversationId,
    setConversationId: (id) => (conversationId = id),
    add: (message) => keep([...messages.filter(({ id }) => id !== message.id), message]),
    replace: (message) => keep(messages.map((old) => (old.id === message.id ? message : old))),
    drop: (id) => keep(messages.filter((message) => message.id !== id)),
    unread: () => unread,
    setUnread(count) {
      if (count === unread) return;
      unread = count;
      save();
    },
    clear() {
      messages = [];
      conversationId = undefined;
      unread = 0;
      storage?.removeItem(storageKey(botId));
    },
    reload,
  };
}
