import type { ConversationSearch } from "./conversation-search.ts";
import type {
  ConversationFinder,
  ConversationKey,
  ConversationSummary,
  FoundConversation,
  TurnFilter,
} from "./interface/conversations.ts";

/** The search as callers know it, who do not know the engine. A write of this connection has to wait for the end of what is read. */
export class PromisedSearch implements ConversationFinder {
  readonly #search: ConversationSearch;

  constructor(search: ConversationSearch) {
    this.#search = search;
  }

  async *find(filter: TurnFilter): AsyncGenerator<FoundConversation, void, undefined> {
    yield* this.#search.find(filter);
  }

  async findKey(id: string): Promise<ConversationKey | undefined> {
    return this.#search.findKey(id);
  }

  async summarise(found: readonly FoundConversation[]): Promise<ConversationSummary[]> {
    return this.#search.summarise(found);
  }
}
