import type { Rating } from "../../domain/feedback.ts";
import type { ConversationRow } from "../../domain/operator/conversations.ts";
import type { Outcome } from "../../domain/operator/overview.ts";
import type { EpochMs } from "../../domain/time.ts";
import { Breather } from "../../domain/waiting.ts";
import type {
  ListedConversations,
  ListPlace,
  ListQuery,
  NewestPlace,
  OpenPlace,
} from "../interface/analytics.ts";
import type { BotKey } from "../interface/bots.ts";
import type { ConversationKey } from "../interface/conversations.ts";
import { haveAll, wordsOf } from "./words.ts";

/** A turn that a list shows or skips. */
export interface ListedTurn {
  requestId: string;
  conversation: ConversationKey;
  /** Undefined if the turn is not counted yet. */
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

/** A query over counted turns. */
export interface CountedQuery extends Omit<ListQuery, "below"> {
  below: NewestPlace | undefined;
  /** Only turns that were counted at this place or before it. */
  upTo?: number;
  /**
   * true: turns that were counted after `upTo` are ignored. false: they still hide earlier turns of their conversations, which an earlier
   * page has listed.
   */
  isAsOf?: boolean;
}

/** An engine's reads of turns. */
export interface TurnSource {
  /** At most `most` ended turns that are not counted yet, in reverse order of counting. */
  listOpen(below: OpenPlace | undefined, most: number): Promise<OpenTurn[]>;
  /** All ended turns of some conversations that are not counted yet. */
  listOpenOf(conversations: readonly ConversationKey[]): Promise<OpenTurn[]>;
  /** The place of a counted turn; undefined if the turn is not counted. */
  findPlace(requestId: string): Promise<number | undefined>;
  /**
   * The latest turn of each conversation that passes the query, the latest first. Conversations with such a turn above `below` are left
   * out.
   */
  listCounted(query: CountedQuery): Promise<Required<ListedTurn>[]>;
  /** Details of turns, in the given order; turns that were erased since are left out. */
  describe(turns: readonly ListedTurn[]): Promise<ConversationRow[]>;
  newest(): Promise<NewestPlace | undefined>;
}

/** A query over turns, without grouping by conversation. */
export type LatestQuery = Pick<ListQuery, "bot" | "outcome" | "rating" | "from" | "limit">;

/**
 * Uncounted turns that are read at a time: some seconds of a busy server. After an upgrade there may be millions of them. Chosen by hand.
 */
const OPEN_AT_ONCE = 500;
/**
 * Uncounted turns that one page reads at most. A page whose filter passes few turns ends early, and returns where the next page continues.
 */
const MAX_OPEN = 5000;
const WALKED_AT_ONCE = 200;
/** A turn that is counted late, because its answer took long, still counts as new within this time; an older one does not. */
const LATE_MS = 60 * 60 * 1000;

/** Lists conversations; see `Analytics.listConversations`. */
export async function listConversations(source: TurnSource, query: ListQuery): Promise<ListedConversations> {
  const { below, limit } = query;
  const newest = await source.newest();
  const found = isCounted(below) ? NOTHING_OPEN : await findOpen(source, query, below, limit + 1);
  const turns: ListedTurn[] = found.turns.slice(0, limit + 1);
  const start = await startOfCounted(source, below);
  if (turns.length <= limit && !found.goesOnBelow) {
    const listed = new Set(turns.map(({ conversation }) => conversation));
    turns.push(...(await findCounted(source, query, { ...start, listed, most: limit + 1 - turns.length })));
  }
  const shown = turns.slice(0, limit);
  const first = below ? (await findOpen(source, query, undefined, 1)).turns[0] : found.turns[0];
  return {
    items: await source.describe(shown),
    next: turns.length > limit ? placeOf(shown.at(-1)!, start) : found.goesOnBelow,
    newest: newestOf(newest, first),
  };
}

/**
 * All conversations; see `Analytics.walkConversations`. Turns that get counted while the uncounted turns are read are found afterwards,
 * among the counted ones.
 */
export async function* walkConversations(
  source: TurnSource,
  query: Omit<ListQuery, "limit">,
): AsyncGenerator<ConversationRow[], void, undefined> {
  const { below } = query;
  const listed = new Set<ConversationKey>();
  for (let open = isCounted(below) ? undefined : ({ below } as const); open;) {
    const turns = await source.listOpen(open.below, OPEN_AT_ONCE);
    const fresh = (await letThrough(query, turns)).filter(({ conversation }) => {
      const isFresh = !listed.has(conversation);
      listed.add(conversation);
      return isFresh;
    });
    yield await source.describe(fresh);
    open = turns.length < OPEN_AT_ONCE ? undefined : { below: openPlaceOf(turns.at(-1)!) };
  }
  const start = await startOfCounted(source, below);
  const upTo = start.upTo ?? (await source.newest())?.place ?? 0;
  for (let place = start.below; ;) {
    const wanted = { ...query, below: place, upTo, isAsOf: true, limit: WALKED_AT_ONCE };
    const turns = await source.listCounted(wanted);
    yield await source.describe(turns.filter(({ conversation }) => !listed.has(conversation)));
    if (turns.length < WALKED_AT_ONCE) return;
    place = turns.at(-1)!.place;
  }
}

type CountedPlace = Exclude<ListPlace, OpenPlace>;

function isCounted(below: ListPlace | undefined): below is CountedPlace {
  return below !== undefined && "place" in below;
}

interface FoundOpen {
  /** Of each conversation, the latest turn that passes the query. */
  turns: OpenTurn[];
  /** The place to continue from, if more turns were not looked at. */
  goesOnBelow?: OpenPlace;
}

const NOTHING_OPEN: FoundOpen = { turns: [] };

async function findOpen(
  source: TurnSource,
  query: ListQuery,
  below: OpenPlace | undefined,
  most: number,
): Promise<FoundOpen> {
  const turns: OpenTurn[] = [];
  let place = below;
  for (let looked = 0; looked < MAX_OPEN && turns.length < most; looked += OPEN_AT_ONCE) {
    const read = await source.listOpen(place, OPEN_AT_ONCE);
    const passing = await letThrough(query, read);
    const latest = await latestOpen(source, query, passing);
    // A turn that was counted after it was read is still listed here.
    const isLatest = ({ conversation, requestId }: OpenTurn) =>
      latest.getOrInsertComputed(conversation, () => requestId) === requestId;
    turns.push(...passing.filter(isLatest));
    if (read.length < OPEN_AT_ONCE) return { turns };
    place = openPlaceOf(read.at(-1)!);
  }
  return { turns, ...(place && { goesOnBelow: place }) };
}

/** Of each of these conversations, the latest uncounted turn that passes the query, by request id. */
async function latestOpen(
  source: TurnSource,
  query: TurnQuery,
  turns: readonly ListedTurn[],
): Promise<Map<ConversationKey, string>> {
  const latest = new Map<ConversationKey, string>();
  if (turns.length === 0) return latest;
  const open = await source.listOpenOf([...new Set(turns.map(({ conversation }) => conversation))]);
  for (const { conversation, requestId } of await letThrough(query, open)) {
    if (!latest.has(conversation)) latest.set(conversation, requestId);
  }
  return latest;
}

interface CountedStart {
  below: NewestPlace | undefined;
  upTo?: number;
}

/** The place at which the list of counted turns starts: below turns that were listed while they were uncounted. */
async function startOfCounted(source: TurnSource, below: ListPlace | undefined): Promise<CountedStart> {
  if (below === undefined) return { below };
  if (isCounted(below)) {
    const { upTo, ...place } = below;
    return { below: place, ...(upTo !== undefined && { upTo }) };
  }
  const place = await source.findPlace(below.open);
  return { below: undefined, ...(place !== undefined && { upTo: place - 1 }) };
}

async function findCounted(
  source: TurnSource,
  query: ListQuery,
  start: CountedStart & { listed: ReadonlySet<ConversationKey>; most: number },
): Promise<ListedTurn[]> {
  const { listed, most, ...place } = start;
  const turns: ListedTurn[] = [];
  for (;;) {
    const read = await source.listCounted({ ...query, ...place, limit: most });
    const open = await latestOpen(source, query, read);
    turns.push(...read.filter(({ conversation }) => !open.has(conversation) && !listed.has(conversation)));
    if (read.length < most || turns.length >= most) return turns.slice(0, most);
    place.below = read.at(-1)!.place;
  }
}

/** The least time of a turn that counts as new if it was counted after the list was made. */
export function newFrom({ at, isAhead }: NewestPlace): EpochMs {
  return isAhead ? at + 1 : at - LATE_MS;
}

type TurnQuery = Omit<ListQuery, "limit">;

async function letThrough(query: TurnQuery, turns: readonly OpenTurn[]): Promise<OpenTurn[]> {
  const breather = new Breather();
  const passing: OpenTurn[] = [];
  for (const turn of turns) {
    if (lets(query, turn)) passing.push(turn);
    await breather.breathe();
  }
  return passing;
}

function lets(query: TurnQuery, turn: OpenTurn): boolean {
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

function placeOf(turn: ListedTurn | OpenTurn, { upTo }: CountedStart): ListPlace {
  if (turn.place === undefined) return openPlaceOf(turn as OpenTurn);
  const { place, at } = turn.place;
  return { place, at, ...(upTo !== undefined && { upTo }) };
}

function openPlaceOf({ requestId, at }: OpenTurn): OpenPlace {
  return { open: requestId, at };
}

function newestOf(counted: NewestPlace | undefined, open: OpenTurn | undefined): NewestPlace | undefined {
  if (!open) return counted;
  return { place: counted?.place ?? 0, at: Math.max(counted?.at ?? 0, open.at), isAhead: true };
}
