import type { RequestId } from "../domain/ids.ts";
import type { ConversationHead, StoredTurn } from "../store/interface/conversations.ts";
import type { PeopleHistory, StoredFeedback } from "../store/interface/handoffs.ts";
import type { Store } from "../store/interface/store.ts";

/** All stored data of a conversation, oldest first. */
export interface StoredConversation extends PeopleHistory {
  turns: readonly StoredTurn[];
  /** By request id of the rated answer. */
  feedback: ReadonlyMap<RequestId, StoredFeedback>;
}

export async function readStored(
  { conversations, feedback, handoffs }: Pick<Store, "conversations" | "feedback" | "handoffs">,
  { id }: ConversationHead,
): Promise<StoredConversation> {
  const given = await feedback.listOf(id);
  return {
    turns: await conversations.listTurns(id),
    feedback: new Map(given.map((each) => [each.requestId, each])),
    ...(await handoffs.historyOf(id)),
  };
}
