import { termsOfPassage } from "../knowledge/packed-terms.ts";
import { type Passage, titleOf } from "../knowledge/passage.ts";
import { SearchIndex } from "../knowledge/search-index.ts";
import type { BotKey, StoredBot } from "../store/interface/bots.ts";
import type { Knowledge } from "../store/interface/store.ts";
import { KnowledgeIndexes } from "./knowledge-indexes.ts";

/** The parts of the store that are read. */
type KnowledgeReader = Pick<Knowledge, "listPassageIds" | "readTerms" | "findPassages">;

/** The documents that a bot answers from. */
export interface BotKnowledge {
  /** Whether the bot may have documents. If false, callers use none of the other methods. */
  isThere(): boolean;
  /** The current index of their passages. */
  open(): Promise<SearchIndex>;
  /** Passages by id; deleted ones are left out. */
  readPassages(ids: readonly number[]): Promise<ReadonlyMap<number, Passage>>;
  /** Looks for changed documents now; otherwise a server notices a change within a second. */
  refresh(): Promise<void>;
}

/** Returns the documents of a bot. */
export type KnowledgeOf = (bot: Pick<StoredBot, "key" | "id">) => BotKnowledge;

/** For a bot without documents. */
export const NO_KNOWLEDGE: BotKnowledge = {
  isThere: () => false,
  open: async () => SearchIndex.build([]),
  readPassages: async () => new Map(),
  refresh: async () => {},
};

/** A stored bot's documents as they are now, for a command: later changes are not followed. The store must stay open. */
export function storedKnowledge(store: KnowledgeReader, bot: BotKey): BotKnowledge {
  const indexes = new KnowledgeIndexes(store);
  return {
    isThere: () => true,
    // One generation is enough, because changes are not followed.
    open: () => indexes.find(bot, 0),
    readPassages: (ids) => store.findPassages(ids),
    refresh: async () => {},
  };
}

/** Like `storedKnowledge`, but without an index for a bot without documents. */
export async function knowledgeOf(
  { knowledge }: { knowledge: KnowledgeReader & Pick<Knowledge, "generations"> },
  bot: BotKey,
): Promise<BotKnowledge> {
  return (await knowledge.generations()).has(bot) ? storedKnowledge(knowledge, bot) : NO_KNOWLEDGE;
}

/** Passages in memory, for a command that examines a bot. */
export function knowledgeInMemory(passages: ReadonlyMap<number, Passage>): BotKnowledge {
  const index = SearchIndex.build(
    Array.from(passages, ([id, passage]) => ({ id, terms: termsOfPassage(titleOf(passage), passage.body) })),
  );
  return {
    isThere: () => passages.size > 0,
    open: async () => index,
    readPassages: async (ids) => new Map(ids.flatMap((id) => entryOf(id, passages))),
    refresh: async () => {},
  };
}

function entryOf(id: number, passages: ReadonlyMap<number, Passage>): [number, Passage][] {
  const passage = passages.get(id);
  return passage === undefined ? [] : [[id, passage]];
}
