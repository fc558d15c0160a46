import type { Rating } from "../../domain/feedback.ts";
import type { ConversationRow } from "../../domain/operator/conversations.ts";
import type { Outcome } from "../../domain/operator/overview.ts";
import type { EpochMs } from "../../domain/time.ts";
import type { ListedConversations, ListPlace, ListQuery, NewestPlace } from "../interface/analytics.ts";
import type { BotKey } from "../interface/bots.ts";
import type { ConversationKey } from "../interface/conversations.ts";
import { haveAll, wordsOf } from "./words.ts";

/** A turn that a list shows, or passes over. */
export interface ListedTurn {
  requestId: string;
  conversation: ConversationKey;
  /** Undefined: it is not counted yet. */
  place?: NewestPlace;
}

/** A turn that has ended and is not counted yet. */
export interface OpenTurn extends ListedTurn {
  bot: BotKey;
  at: EpochMs;
  outcome: Outcome;
  intent: string | null;
  rating: Rating | null;
  input: string;
  response: string;
}

/** Which turns are asked for among those that are counted. */
export interface CountedQuery extends Omit<ListQuery, "below"> {
  below: NewestPlace | undefined;
  /** Conversations that are listed already. */
  without: ReadonlySet<ConversationKey>;
}

/** What an engine knows of turns. */
export interface TurnSource {
  /** At most `most` turns that are not counted yet, the latest first. */
  listOpen(most: number): Promise<OpenTurn[]>;
  /** The latest turn that the query lets through of each conversation, the latest first; none of a conversation that such a turn has above `below`. */
  listCounted(query: CountedQuery): Promise<Required<ListedTurn>[]>;
  /** What is shown of turns, in their order; what has been erased since is left out. */
  describe(turns: readonly ListedTurn[]): Promise<ConversationRow[]>;
  newest(): Promise<NewestPlace | undefined>;
}

/** Turns that are looked at one by one, as they are not counted yet: some seconds of a busy server. Only after an upgrade there are more. */
const MOST_OPEN = 500;
/** A turn that is counted late, as its answer took long, is new for those who have not seen it; one of long ago is not. */
const LATE_MS = 60 * 60 * 1000;

/** Lists conversations; see `Analytics.listConversations`. */
export async function listConversations(source: TurnSource, query: ListQuery): Promise<ListedConversations> {
  const { below, ...rest } = query;
  const place = below && "place" in below ? below : undefined;
  const newest = await source.newest();
  const open = await listOpen(source, query);
  const turns: ListedTurn[] = place ? [] : openBelow(open, below).slice(0, query.limit + 1);
  if (turns.length <= query.limit) {
    const without = new Set(open.map(({ conversation }) => conversation));
    const limit = query.limit + 1 - turns.length;
    turns.push(...(await source.listCounted({ ...rest, below: place, without, limit })));
  }
  const shown = turns.slice(0, query.limit);
  const items = await source.describe(shown);
  const last = shown.at(-1);
  return {
    items,
    next: turns.length > query.limit && last ? placeOf(last) : undefined,
    newest: newestOf(newest, open[0]),
  };
}

/** Of each conversation the latest turn. */
async function listOpen(source: TurnSource, query: ListQuery): Promise<OpenTurn[]> {
  const seen = new Set<ConversationKey>();
  return (await source.listOpen(MOST_OPEN)).filter((turn) => {
    if (seen.has(turn.conversation) || !lets(query, turn)) return false;
    seen.add(turn.conversation);
    return true;
  });
}

function openBelow(open: readonly OpenTurn[], below: ListPlace | undefined): readonly OpenTurn[] {
  if (below === undefined) return open;
  return open.slice(open.findIndex(({ requestId }) => "open" in below && requestId === below.open) + 1);
}

/** How old a turn may be that is new, as it was counted after a list was made. */
export function newFrom({ at, isAhead }: NewestPlace): EpochMs {
  return isAhead ? at + 1 : at - LATE_MS;
}

function lets(query: ListQuery, turn: OpenTurn): boolean {
  const { bot, outcome, rating, from, to, newer, words } = query;
  if (bot !== undefined && turn.bot !== bot) return false;
  if (outcome !== undefined && turn.outcome !== outcome) return false;
  if (rating !== undefined && turn.rating !== rating) return false;
  if (!isIntent(query.intent, turn.intent)) return false;
  if ((from !== undefined && turn.at < from) || (to !== undefined && turn.at >= to)) return false;
  if (newer && turn.at <= newer.at) return false;
  return words.length === 0 || haveAll(wordsOf(turn.input, turn.response), words);
}

function isIntent(wanted: string | undefined, intent: string | null): boolean {
  if (wanted === undefined) return true;
  return wanted.endsWith(".*") ? (intent ?? "").startsWith(wanted.slice(0, -1)) : intent === wanted;
}

function placeOf({ place, requestId }: ListedTurn): ListPlace {
  return place ?? { open: requestId };
}

function newestOf(counted: NewestPlace | undefined, open: OpenTurn | undefined): NewestPlace | undefined {
  if (!open) return counted;
  return { place: counted?.place ?? 0, at: Math.max(counted?.at ?? 0, open.at), isAhead: true };
}
