import type { PastTurn } from "../../domain/conversation.ts";
import type { BotKey } from "../../store/interface/bots.ts";

/** Each message that operators send adds one. What it does not share with the one before is a turn, some KB. */
const MOST_CONVERSATIONS = 200;

interface KeptConversation {
  bot: BotKey;
  turns: readonly PastTurn[];
}

/** What operators and bots have said to each other, as long as there is room. What is kept never changes: to go on makes another one. */
export class KeptConversations {
  /** By id; the one that was used last at the end. */
  readonly #conversations = new Map<string, KeptConversation>();

  /** The turns of a conversation with this bot, or with a draft of it, oldest first. */
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
