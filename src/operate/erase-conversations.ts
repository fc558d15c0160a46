import type {
  Erasure,
  ErasureFilter,
  ConversationCounts,
  WipedFiles,
} from "../store/interface/conversations.ts";

/** Conversations in one transaction, and the pause after it, in which messages are stored. */
const STEP = 200;
const PAUSE_MS = 20;

interface EraseOptions {
  /** What they had to meet when they were chosen; who wrote since stays. */
  filter?: ErasureFilter;
  /** Bytes that a database file may have to be written anew: messages wait for that. */
  mostRewrittenBytes?: number;
  onStep?: (share: number) => void;
}

/** How much was erased. `wiped` is absent where nothing was. */
export interface ErasedConversations extends ConversationCounts {
  wiped?: WipedFiles;
}

/** Erases conversations for good, in steps, and then what of them is left in the files that the store can reach. */
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
