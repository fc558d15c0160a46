import type { PastTurn } from "../../domain/conversation.ts";
import type { BotKey } from "../../store/interface/bots.ts";

/** Each operator's message adds an entry. Entries share earlier turns, so each takes some KB. */
const MOST_CONVERSATIONS = 200;

interface KeptConversation {
  bot: BotKey;
  turns: readonly PastTurn[];
}

/** Conversations of operators with bots, up to a maximum. Entries are immutable: continuing one creates another. */
export class KeptConversations {
  /** By id, least recently used first. */
  readonly #conversations = new Map<string, KeptConversation>();

  /** The turns of a conversation with this bot or a draft of it, oldest first. */
  find(id: string, bot: BotKey): readonly PastTurn[] | undefined {
    const found = this.#conversations.get(id);
    if (found?.bot !== bot) return undefined;
    this.#conversations.delete(id);
    this.#conversations.set(id, found);
    return found.turns;
  }

  keep(id: string, conversation: KeptConversation): void {
    this.#conversations.set(id, conversation);
    if (this.#conversations.size <= MOST_CONVERSATIONS) return;
    this.#conversations.delete(this.#conversations.keys().next().value!);
  }
}
