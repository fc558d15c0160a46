import type {
  ConversationFinder,
  ConversationKey,
  ConversationSummary,
  FoundConversation,
  TurnFilter,
} from "../interface/conversations.ts";
import type { ConversationSearch } from "./conversation-search.ts";

/** The search as callers know it, who do not know the engine. A write of this connection has to wait for the end of what is read. */
export class PromisedSearch implements ConversationFinder {
  readonly #search: ConversationSearch;
  readonly #noticing: <Result>(read: () => Result) => Result;

  /** @param noticing takes note of failures of what is read. */
  constructor(search: ConversationSearch, noticing: <Result>(read: () => Result) => Result) {
    this.#search = search;
    this.#noticing = noticing;
  }

  async *find(filter: TurnFilter): AsyncGenerator<FoundConversation, void, undefined> {
    using found = this.#search.find(filter);
    for (;;) {
      const next = this.#noticing(() => found.next());
      if (next.done) return;
      yield next.value;
    }
  }

  async findKey(id: string): Promise<ConversationKey | undefined> {
    return this.#noticing(() => this.#search.findKey(id));
  }

  async summarise(found: readonly FoundConversation[]): Promise<ConversationSummary[]> {
    return this.#noticing(() => this.#search.summarise(found));
  }
}
