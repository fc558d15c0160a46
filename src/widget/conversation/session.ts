import { randomKey } from "../../client/random-key.ts";
import type { ParleyMessage } from "../public.d.ts";
import type { Shell } from "../shell.ts";
import { openStorage, storageKey } from "../stored.ts";
import { Conversation, type ConversationParts } from "./conversation.ts";
import { openTranscript, type Transcript } from "./transcript.ts";
import { postChat } from "./transport.ts";

/** A conversation in a page, with storage, network and synchronisation between tabs. */
export class Session extends Conversation {
  readonly #life = new AbortController();
  /** Shows the number of unread messages at the launcher. While the panel is open, all messages are marked as read. */
  readonly showUnread: () => void;

  constructor(shell: Shell) {
    const { botId, persist } = shell.options;
    const transcript = openTranscript(openStorage(persist), botId, Date.now);
    super(partsFor(shell, transcript));
    this.showUnread = () => showUnread(shell, transcript, shell.isOpen() ? 0 : transcript.unread());
    const { signal } = this.#life;
    addEventListener("online", this.online, { signal });
    if (persist !== "local") return;
    addEventListener(
      "storage",
      ({ key }: StorageEvent) => {
        if (key === storageKey(botId)) this.takeOver();
        // The other tab may have received messages, or the visitor may have read them there.
        this.showUnread();
      },
      { signal },
    );
  }

  readonly destroy = (): void => {
    this.#life.abort();
    this.abandon();
  };
}

function partsFor(shell: Shell, transcript: Transcript): ConversationParts {
  const { botId, embedToken } = shell.options;
  const endpoint = shell.config.runtimeEndpoint.replace(/\/$/, "");
  return {
    botId,
    transcript,
    post: (call) => postChat({ ...call, endpoint, embedToken }),
    now: Date.now,
    newId: randomKey,
    isOnline: () => navigator.onLine,
    later(run, delayMs) {
      const timer = setTimeout(run, delayMs);
      return () => clearTimeout(timer);
    },
    onMessage: (message) => announce(shell, transcript, message),
    onError: (error) => shell.emit("error", error),
  };
}

/** Emits the page's events for a message. A message that did not come from the visitor counts as unread while the panel is closed. */
function announce(shell: Shell, transcript: Transcript, message: ParleyMessage): void {
  if (message.role !== "visitor" && !shell.isOpen()) showUnread(shell, transcript, transcript.unread() + 1);
  shell.emit("message", message);
  if (message.metadata?.capabilityAllowed === false) shell.emit("restricted", message);
}

function showUnread(shell: Shell, transcript: Transcript, count: number): void {
  transcript.setUnread(count);
  shell.showUnread(count);
}
