import { Breather } from "../../domain/breather.ts";
import type { Rating } from "../../domain/feedback.ts";
import type { ConversationRow } from "../../domain/operator/conversations.ts";
import type { Outcome } from "../../domain/operator/overview.ts";
import type { EpochMs } from "../../domain/time.ts";
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
  /** Only those that were counted at this place, or before it. */
  upTo?: number;
  /** Whether what was counted behind `upTo` is as if it were not there; else it hides earlier turns of its conversations, as it was listed before. */
  isAsOf?: boolean;
}

/** What an engine knows of turns. */
export interface TurnSource {
  /** At most `most` turns that have ended and are not counted yet, in the order of their counting, the last first. */
  listOpen(below: OpenPlace | undefined, most: number): Promise<OpenTurn[]>;
  /** The same, all of some conversations. */
  listOpenOf(conversations: readonly ConversationKey[]): Promise<OpenTurn[]>;
  /** Where a turn is counted; undefined where it is not. */
  findPlace(requestId: string): Promise<number | undefined>;
  /** The latest turn that the query lets through of each conversation, the latest first; none of a conversation that such a turn has above `below`. */
  listCounted(query: CountedQuery): Promise<Required<ListedTurn>[]>;
  /** What is shown of turns, in their order; what has been erased since is left out. */
  describe(turns: readonly ListedTurn[]): Promise<ConversationRow[]>;
  newest(): Promise<NewestPlace | undefined>;
}

/** Which turns are asked for, whatever their conversations. */
export type LatestQuery = Pick<ListQuery, "bot" | "outcome" | "rating" | "from" | "limit">;

/** Turns that are not counted yet, and are read at a time: some seconds of a busy server. After an upgrade there may be millions. */
const OPEN_AT_ONCE = 500;
/** So many of them are looked at for a page: one whose filter lets few through ends early, and says where it goes on. */
const MOST_OPEN = 5000;
const WALKED_AT_ONCE = 200;
/** A turn that is counted late, as its answer took long, is new for those who have not seen it; one of long ago is not. */
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
 * All conversations; see `Analytics.walkConversations`. What is counted while the turns that are not counted are read is found afterwards,
 * among those that are.
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
  /** Of each conversation the latest that the query lets through. */
  turns: OpenTurn[];
  /** Where there are more that were not looked at. */
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
  for (let looked = 0; looked < MOST_OPEN && turns.length < most; looked += OPEN_AT_ONCE) {
    const read = await source.listOpen(place, OPEN_AT_ONCE);
    const passing = await letThrough(query, read);
    const latest = await latestOpen(source, query, passing);
    // One that has been counted since it was read is still listed here.
    const isLatest = ({ conversation, requestId }: OpenTurn) =>
      latest.getOrInsertComputed(conversation, () => requestId) === requestId;
    turns.push(...passing.filter(isLatest));
    if (read.length < OPEN_AT_ONCE) return { turns };
    place = openPlaceOf(read.at(-1)!);
  }
  return { turns, ...(place && { goesOnBelow: place }) };
}

/** Of turns that are not counted, the latest that the query lets through of each of the conversations, by its request id. */
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

/** Where the list of what is counted goes on: below what was listed before it was counted, too. */
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

/** How old a turn may be that is new, as it was counted after a list was made. */
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
