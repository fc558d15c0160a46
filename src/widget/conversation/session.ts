import type { ParleyMessage } from "../public.d.ts";
import type { Shell } from "../shell.ts";
import { openStorage, storageKey } from "../stored.ts";
import { type Conversation, createConversation } from "./conversation.ts";
import { openTranscript } from "./transcript.ts";
import { postChat } from "./transport.ts";

/** A conversation in a page: with its storage, its network, and the other tabs. */
export interface Session extends Conversation {
  /** Calls the listener after every change of messages or status. */
  readonly subscribe: (listener: () => void) => () => void;
  /** The visitor sees the panel: nothing is unread any more. */
  readonly markRead: () => void;
}

function later(run: () => void, delayMs: number): () => void {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
}

export function openSession(shell: Shell): Session {
  const { options, config } = shell;
  const life = new AbortController();
  const listeners = new Set<() => void>();
  const changed = () => listeners.forEach((listener) => listener());
  const transcript = openTranscript(openStorage(options.persist), options.botId, Date.now);

  function onMessage(message: ParleyMessage): void {
    if (message.role === "bot" && !shell.isOpen()) {
      transcript.setUnread(transcript.unread() + 1);
      shell.showUnread(transcript.unread());
    }
    shell.emit("message", message);
    if (message.metadata?.capabilityAllowed === false) shell.emit("restricted", message);
  }

  const conversation = createConversation({
    botId: options.botId,
    transcript,
    post: (call) =>
      postChat({
        ...call,
        endpoint: config.runtimeEndpoint.replace(/\/$/, ""),
        embedToken: options.embedToken,
      }),
    now: Date.now,
    newId: () => crypto.randomUUID(),
    isOnline: () => navigator.onLine,
    later,
    onChange: changed,
    onMessage,
    onError: (error) => shell.emit("error", error),
  });

  function takeOver(event: StorageEvent): void {
    if (event.key !== storageKey(options.botId) || conversation.status().kind !== "idle") return;
    transcript.reload();
    changed();
  }

  addEventListener("online", conversation.online, { signal: life.signal });
  if (options.persist === "local") addEventListener("storage", takeOver, { signal: life.signal });
  return {
    ...conversation,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    markRead() {
      transcript.setUnread(0);
      shell.showUnread(0);
    },
    destroy() {
      life.abort();
      conversation.destroy();
    },
  };
}
