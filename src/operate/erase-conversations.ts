import type {
  Erasure,
  ErasureFilter,
  ConversationCounts,
  WipedFiles,
} from "../store/interface/conversations.ts";

/** Conversations per transaction, and the pause after it for storing messages. */
const STEP = 200;
const PAUSE_MS = 20;

interface EraseOptions {
  /** The filter by which they were selected. A conversation that no longer matches, for example because of a new message, stays. */
  filter?: ErasureFilter;
  /** Largest database file, in bytes, that may be rewritten, because messages wait meanwhile. */
  mostRewrittenBytes?: number;
  onStep?: (share: number) => void;
}

/** Counts of erased data. `wiped` is absent if nothing was erased. */
export interface ErasedConversations extends ConversationCounts {
  wiped?: WipedFiles;
}

/** Erases conversations in steps, then their remains in the database files that the store can reach. */
export async function eraseConversations(
  { erasure }: { erasure: Pick<Erasure, "erase" | "wipeFiles"> },
  chosen: readonly { id: string }[],
  { filter = {}, mostRewrittenBytes = 0, onStep }: EraseOptions = {},
): Promise<ErasedConversations> {
  const erased = { conversations: 0, messages: 0 };
  for (let from = 0; from < chosen.length; from += STEP) {
    if (from > 0) await Bun.sleep(PAUSE_MS);
    const { conversations, messages } = await erasure.erase(chosen.slice(from, from + STEP), filter);
    erased.conversations += conversations;
    erased.messages += messages;
    onStep?.(Math.min(1, (from + STEP) / chosen.length));
  }
  return erased.conversations === 0
    ? erased
    : { ...erased, wiped: await erasure.wipeFiles(mostRewrittenBytes) };
}
