import type { Passage } from "../knowledge/passage.ts";
import { SearchIndex } from "../knowledge/search-index.ts";
import type { StoredBot } from "../store/interface/bots.ts";

/** The documents that a bot answers from. */
export interface BotKnowledge {
  /** Whether there may be any: without, nothing else is asked for. */
  isThere(): boolean;
  /** The index of their passages as they are now. */
  open(): Promise<SearchIndex>;
  /** By id; those that are gone are left out. */
  readPassages(ids: readonly number[]): Promise<ReadonlyMap<number, Passage>>;
}

/** Where a bot's documents are. */
export type KnowledgeOf = (bot: Pick<StoredBot, "key" | "id">) => BotKnowledge;

/** Of a bot without documents. */
export const NO_KNOWLEDGE: BotKnowledge = {
  isThere: () => false,
  open: async () => SearchIndex.build([]),
  readPassages: async () => new Map(),
};
