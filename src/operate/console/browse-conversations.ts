import { isTextKept } from "../../domain/conversation.ts";
import { ServiceError } from "../../domain/errors.ts";
import type {
  ConversationDetails,
  ConversationQuery,
  ConversationTurn,
  TurnFeedback,
} from "../../domain/operator/conversations.ts";
import type { HandoffRow } from "../../domain/operator/handoffs.ts";
import { outcomeOfTurn } from "../../domain/operator/outcome.ts";
import type { EpochMs } from "../../domain/time.ts";
import { wordsAsked } from "../../store/analytics/words.ts";
import type {
  ListedConversations,
  ListPlace,
  ListQuery,
  NewestPlace,
} from "../../store/interface/analytics.ts";
import type { StoredTurn } from "../../store/interface/conversations.ts";
import type { StoredFeedback, StoredHandoff } from "../../store/interface/handoffs.ts";
import type { Store } from "../../store/interface/store.ts";
import { uncountedOf } from "../doctor/backlog.ts";
import { eraseConversations } from "../erase.ts";
import { findBotKey } from "./find-bot.ts";

/** The parts of the store that are used. */
export interface BrowsedStore extends Pick<Store, "analytics" | "conversations" | "erasure"> {
  bots: Pick<Store["bots"], "find">;
  feedback: Pick<Store["feedback"], "listOf">;
  handoffs: Pick<Store["handoffs"], "historyOf">;
}

/** A query with the cursor of its page. */
export interface BrowseQuery extends Omit<ConversationQuery, "cursor" | "newer"> {
  below?: ListPlace;
  newer?: NewestPlace;
}

const PAGE = 50;

/** A page of conversations, with the progress of counting and search indexing; absent if both are up to date. */
export async function listConversations(
  store: BrowsedStore,
  query: BrowseQuery,
  now: EpochMs,
): Promise<ListedConversations & { indexed?: number }> {
  const listed = await store.analytics.listConversations(await toListQuery(store, query));
  const counting = await store.analytics.countingState();
  const isBehind = uncountedOf(counting, now) !== undefined || (query.q !== undefined && counting.share < 1);
  return isBehind ? { ...listed, indexed: counting.share } : listed;
}

/** A conversation with all its messages. @throws ServiceError NOT_FOUND */
export async function readConversation(store: BrowsedStore, id: string): Promise<ConversationDetails> {
  const head = await store.conversations.findHead(id);
  if (!head) throw unknownConversation(id);
  return wholeOf(store, { id, bot: head.botId, startedAt: head.startedAt });
}

async function wholeOf(
  store: BrowsedStore,
  head: Pick<ConversationDetails, "id" | "bot" | "startedAt">,
): Promise<ConversationDetails> {
  const { id } = head;
  const turns = await store.conversations.listTurns(id);
  const { handoffs, events } = await store.handoffs.historyOf(id);
  return {
    ...head,
    turns: await withFeedback(store, id, turns),
    handoffs: handoffs.map(handoffRowOf),
    people: events,
  };
}

/** A hand-off in the form of the operator API. */
export function handoffRowOf({ botId, ...handoff }: StoredHandoff): HandoffRow {
  return { ...handoff, bot: botId };
}

/**
 * All conversations of a query in full: first those with messages not counted yet, then the others, newest first in both parts.
 * Conversations erased in the meantime are skipped.
 */
export async function* exportConversations(
  store: BrowsedStore,
  query: BrowseQuery,
): AsyncGenerator<ConversationDetails, void, undefined> {
  for await (const rows of store.analytics.walkConversations(await toListQuery(store, query))) {
    for (const { id, bot, startedAt } of rows) {
      const whole = await wholeOf(store, { id, bot, startedAt });
      if (whole.turns.length > 0) yield whole;
    }
  }
}

/**
 * Erases a conversation and truncates the write-ahead log, which also contains it. The database file is not rewritten, because visitors
 * would have to wait.
 *
 * @throws ServiceError NOT_FOUND
 */
export async function eraseConversation(store: BrowsedStore, id: string): Promise<void> {
  const { conversations } = await eraseConversations(store, [{ id }]);
  if (conversations === 0) throw unknownConversation(id);
}

async function toListQuery(store: BrowsedStore, query: BrowseQuery): Promise<ListQuery> {
  const { bot: botId, q, decision, intent, rating, from, to, below, newer, limit = PAGE } = query;
  const bot = await findBotKey(store.bots, botId);
  return {
    ...(bot !== undefined && { bot }),
    ...(decision !== undefined && { outcome: decision }),
    ...(intent !== undefined && { intent }),
    ...(rating !== undefined && { rating }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(below && { below }),
    ...(newer && { newer }),
    words: wordsAsked(q ?? ""),
    limit,
  };
}

/** The turns of a conversation with their ratings. */
async function withFeedback(
  { feedback }: BrowsedStore,
  id: string,
  turns: readonly StoredTurn[],
): Promise<ConversationTurn[]> {
  const given = new Map((await feedback.listOf(id)).map((each) => [each.requestId, each]));
  return turns.map((turn) => toConversationTurn(turn, given.get(turn.requestId)));
}

function toConversationTurn(turn: StoredTurn, feedback: StoredFeedback | undefined): ConversationTurn {
  const { requestId, at, botVersion, state, input, response, intent, metadata, subject, receipt } = turn;
  return {
    requestId,
    at,
    botVersion,
    state,
    outcome: outcomeOfTurn(turn),
    ...(isTextKept(turn) && { input, response, ...(subject && { subject }) }),
    intent: intent ?? null,
    metadata,
    receipt,
    ...(feedback && { feedback: toTurnFeedback(feedback) }),
  };
}

function toTurnFeedback({ requestId: _, ...feedback }: StoredFeedback): TurnFeedback {
  return feedback;
}

function unknownConversation(id: string): ServiceError {
  return new ServiceError(
    "NOT_FOUND",
    `There is no conversation \`${id}\`; the id is mistyped, or it was erased or its retention has ended.`,
  );
}
