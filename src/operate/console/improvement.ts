import type { LoadedBot } from "../../bots/loaded-bot.ts";
import type { ImproveGroup, ImprovePage, SetAside } from "../../domain/operator/improve.ts";
import type { EpochMs } from "../../domain/time.ts";
import { type Awaitable, Breather } from "../../domain/waiting.ts";
import type { TextCluster } from "../../intent/classifier.ts";
import type { Store } from "../../store/interface/store.ts";
import { findLikelyWrong } from "../likely-wrong.ts";
import { findBotKey } from "./find-bot.ts";
import {
  groupTurns,
  type HashedMessage,
  isOfAnswers,
  textHashOf,
  timesOf,
  toImproveGroup,
  type TurnGroup,
  type TurnToGroup,
  unansweredToGroup,
  unhelpfulToGroup,
  withoutSetAside,
  wrongToGroup,
} from "./group-turns.ts";

/** The parts that Improve uses. */
export interface ImprovementParts {
  store: Pick<Store, "analytics"> & {
    bots: Pick<Store["bots"], "find" | "listEnabled">;
    audit: Pick<Store["audit"], "listAnswered">;
    knowledge: Pick<Store["knowledge"], "listDocuments">;
  };
  /** The enabled bots. */
  bots: {
    find(id: string): Awaitable<Pick<LoadedBot, "classifier" | "policy" | "document"> | undefined>;
  };
  /** Groups texts by similarity on a separate thread. */
  cluster: (texts: readonly string[]) => Promise<readonly TextCluster[]>;
}

export interface ImproveQuery {
  bot?: string;
  /** Absent: all kinds. */
  outcome?: ImproveGroup["kind"];
  since: EpochMs;
}

/** A cached grouping of a query. */
interface Grouping {
  groups: readonly TurnGroup[];
  looked: number;
  turns: number;
  notKept: number;
  /** Until when it is used without renewal, by a monotonic clock in milliseconds. */
  freshUntil: number;
  /** Until when it is used while a new one is computed. */
  shownUntil: number;
}

/** Latest turns that are grouped, for unanswered and unhelpful ones each; this takes seconds on another thread. */
const MAX_TURNS = 5000;
/** The same for the number on the overview, which must be quick. */
const MAX_COUNTED = 500;
/** Latest answers checked for signs of being wrong, over all bots. They are read without a pause, during which visitors wait. */
const MAX_ANSWERED = 300;
/** Groups of a page. Each is classified, which takes time, and nobody works through more at once. */
const MAX_GROUPS = 200;
/** Places on a page reserved for unhelpful and for likely wrong answers each: these groups are small and would otherwise come last. */
const MAX_RESERVED_PLACES = 50;
const MAX_NEAREST = 3;
/** Cached nearest intents, in messages per bot version. */
const MAX_KNOWN = 2000;
/** A grouping is cached for a second, or ten times as long as it took, so that repeated requests use at most a tenth of a core. */
const FRESH_MS = 1000;
const FRESH_TIMES = 10;
/** A grouping that took longer than this is shown a while longer, while a new one is computed. */
const LONG_MS = 200;
const SHOWN_MS = 10 * 60_000;
/** Most groupings cached. */
const MAX_KEPT = 8;
/** The start of a period is rounded to whole hours, so that cached groupings match. */
const SINCE_STEP_MS = 60 * 60_000;

/** Cached groupings, and those being computed. */
class Groupings {
  readonly kept = new Map<string, Grouping>();
  readonly renewing = new Map<string, Promise<Grouping>>();

  /** Removes it when it expires, so that messages do not stay in memory longer than needed. */
  keep(key: string, grouping: Grouping): void {
    this.kept.delete(key);
    this.kept.set(key, grouping);
    for (const oldest of [...this.kept.keys()].slice(0, -MAX_KEPT)) this.kept.delete(oldest);
    const letGo = () => this.kept.get(key) === grouping && this.kept.delete(key);
    setTimeout(letGo, grouping.shownUntil - performance.now()).unref();
  }
}

/**
 * Finds messages that a bot should learn from: unanswered ones grouped by similarity, and unhelpful or likely wrong answers grouped by
 * intent.
 */
export class Improvement {
  readonly #parts: ImprovementParts;
  #groupings = new Groupings();
  /** By open version of a bot and by message. */
  readonly #known = new WeakMap<object, Map<string, ImproveGroup["nearest"]>>();

  constructor(parts: ImprovementParts) {
    this.#parts = parts;
  }

  /** Groups that are not dealt with, largest first. @throws ServiceError NOT_FOUND if there is no such bot. */
  async page(query: ImproveQuery): Promise<ImprovePage> {
    const { looked, turns, notKept, groups } = await this.#grouping(query, MAX_TURNS);
    const { open, setAside } = await this.#withoutSetAside(groups, query.bot);
    const breather = new Breather();
    const shown: ImproveGroup[] = [];
    for (const group of await this.#withoutDeleted(shownOf(open))) {
      shown.push(toImproveGroup(group, await this.#nearest(group)));
      await breather.breathe();
    }
    return { groups: shown, looked, turns, notKept, setAside };
  }

  /** Clears all cached messages, because some were erased. Groupings that are being computed are not cached either. */
  forget(): void {
    this.#groupings = new Groupings();
  }

  /** Number of groups not dealt with among the latest turns, and of their messages. */
  async countWaiting(bot: string | undefined, since: EpochMs): Promise<{ groups: number; messages: number }> {
    const { groups } = await this.#grouping({ since, ...(bot !== undefined && { bot }) }, MAX_COUNTED);
    const { open } = await this.#withoutSetAside(groups, bot);
    return { groups: open.length, messages: open.reduce((sum, group) => sum + timesOf(group), 0) };
  }

  /** @throws ServiceError NOT_FOUND if there is no such bot. */
  async setAside({ bot, as, texts }: SetAside, by: string): Promise<void> {
    const key = await findBotKey(this.#parts.store.bots, bot);
    await this.#parts.store.analytics.setAside(key!, hashesOf(texts), as, by);
  }

  /** @throws ServiceError NOT_FOUND if there is no such bot. */
  async takeBack({ bot, texts }: Pick<SetAside, "bot" | "texts">): Promise<void> {
    const key = await findBotKey(this.#parts.store.bots, bot);
    await this.#parts.store.analytics.takeBack(key!, hashesOf(texts));
  }

  /** The cached grouping or a new one. Concurrent requests for the same one share it. */
  async #grouping(query: ImproveQuery, most: number): Promise<Grouping> {
    const since = query.since - (query.since % SINCE_STEP_MS);
    const key = JSON.stringify([query.bot, query.outcome, since, most]);
    const { kept: all, renewing } = this.#groupings;
    const kept = all.get(key);
    const now = performance.now();
    if (kept && kept.freshUntil > now) return kept;
    const renewed = renewing.getOrInsertComputed(key, () => this.#renew(key, { ...query, since }, most));
    if (!kept || kept.shownUntil <= now) return renewed;
    // The error reaches those who wait; the next request computes it again.
    renewed.catch(() => {});
    return kept;
  }

  async #renew(key: string, query: ImproveQuery, most: number): Promise<Grouping> {
    const groupings = this.#groupings;
    try {
      const grouping = await this.#group(query, most);
      groupings.keep(key, grouping);
      return grouping;
    } finally {
      groupings.renewing.delete(key);
    }
  }

  async #group(query: ImproveQuery, limit: number): Promise<Grouping> {
    const startedAt = performance.now();
    const { turns, total } = await this.#turnsOf(query, limit);
    const kept = turns.filter(({ input }) => input !== "");
    const groups = await groupTurns(kept, this.#parts.cluster);
    const now = performance.now();
    const tookMs = now - startedAt;
    const freshUntil = now + Math.max(FRESH_MS, FRESH_TIMES * tookMs);
    const shownUntil = tookMs > LONG_MS ? now + SHOWN_MS : freshUntil;
    const notKept = turns.length - kept.length;
    return { groups, looked: turns.length, turns: total, notKept, freshUntil, shownUntil };
  }

  /** At most `limit` unanswered turns and as many unhelpful ones, with their total numbers. */
  async #turnsOf(
    { bot: id, outcome, since }: ImproveQuery,
    limit: number,
  ): Promise<{ turns: TurnToGroup[]; total: number }> {
    const { analytics, bots } = this.#parts.store;
    const bot = await findBotKey(bots, id);
    const wanted = { since, limit, ...(bot !== undefined && { bot }) };
    const outcomes = UNANSWERED.filter((kind) => outcome === undefined || outcome === kind);
    const unanswered = await analytics.listUnanswered({ ...wanted, outcomes });
    const isUnhelpful = outcome === undefined || outcome === "unhelpful";
    const unhelpful = isUnhelpful ? await analytics.listUnhelpful(wanted) : { turns: [], total: 0 };
    // Left out of the number on the overview, which must be quick.
    const isWrong = limit === MAX_TURNS && (outcome === undefined || outcome === "wrong");
    const wrong = isWrong ? await this.#likelyWrong(id, since) : [];
    return {
      turns: [...unanswered.turns.map(unansweredToGroup), ...unhelpful.turns.map(unhelpfulToGroup), ...wrong],
      total: unanswered.total + unhelpful.total + wrong.length,
    };
  }

  /** For enabled bots. Answers rated down are left out, because they count as unhelpful. */
  async #likelyWrong(id: string | undefined, since: EpochMs): Promise<TurnToGroup[]> {
    const { store, bots } = this.#parts;
    const key = await findBotKey(store.bots, id);
    const heads = (await store.bots.listEnabled()).filter((head) => key === undefined || head.key === key);
    const breather = new Breather();
    const found: TurnToGroup[] = [];
    let left = MAX_ANSWERED;
    for (const head of heads) {
      const bot = await bots.find(head.id);
      if (!bot || left === 0) continue;
      const answered = await store.audit.listAnswered({ bot: head.key, since }, left);
      left -= answered.length;
      const unrated = answered.filter(({ rating }) => rating !== "down");
      const wrong = findLikelyWrong(unrated, bot.document);
      const stored = wrong.length > 0 ? await store.knowledge.listDocuments(head.key) : [];
      const documents = new Map(stored.map((document) => [document.id, document.place]));
      found.push(...wrong.map((turn) => wrongToGroup(turn, head.id, documents)));
      await breather.breathe();
    }
    return found;
  }

  /** Messages may have been deleted since by retention, a command or another server. */
  async #withoutDeleted(groups: readonly TurnGroup[]): Promise<TurnGroup[]> {
    const ids = groups.flatMap(({ messages }) => messages.map(({ requestId }) => requestId));
    const stored = await this.#parts.store.analytics.findStored(ids);
    return groups.flatMap((group) => {
      const messages = group.messages.filter(({ requestId }) => stored.has(requestId));
      return messages.length === 0 ? [] : [{ ...group, messages }];
    });
  }

  async #withoutSetAside(
    groups: readonly TurnGroup[],
    bot: string | undefined,
  ): Promise<{ open: TurnGroup[]; setAside: number }> {
    const { store } = this.#parts;
    const messages = await store.analytics.listSetAside(await findBotKey(store.bots, bot));
    const byBot = new Map(
      Array.from(
        Map.groupBy(messages, (message) => message.bot),
        ([id, own]) => [id as string, new Map(own.map(({ hash, at }) => [Buffer.from(hash).toHex(), at]))],
      ),
    );
    const open = groups.flatMap(
      (group) => withoutSetAside(group, (message) => isSetAside(message, byBot.get(group.bot))) ?? [],
    );
    return { open, setAside: messages.length };
  }

  /** The allowed intents closest to the group's most typical message; none for a disabled bot. */
  async #nearest({ bot: id, messages }: TurnGroup): Promise<ImproveGroup["nearest"]> {
    const bot = await this.#parts.bots.find(id);
    if (!bot) return [];
    const { hash, text } = messages[0]!;
    const known = this.#known.getOrInsertComputed(bot, () => new Map<string, ImproveGroup["nearest"]>());
    if (known.size > MAX_KNOWN) known.clear();
    return known.getOrInsertComputed(hash, () =>
      bot.classifier
        .classify(text)
        .scores.filter(({ intent }) => bot.policy.profile.standingOf(intent) === "allowed")
        .slice(0, MAX_NEAREST),
    );
  }
}

const UNANSWERED = ["unmatched", "asked", "refused"] as const;

/** The largest groups, with places reserved for unhelpful and likely wrong answers. */
function shownOf(groups: readonly TurnGroup[]): TurnGroup[] {
  const ofAnswers = (["unhelpful", "wrong"] as const).flatMap((wanted) =>
    groups.filter(({ kind }) => kind === wanted).slice(0, MAX_RESERVED_PLACES),
  );
  const others = groups.filter(({ kind }) => !isOfAnswers(kind));
  return [...ofAnswers, ...others.slice(0, MAX_GROUPS - ofAnswers.length)];
}

/** @param setAside when each message was set aside, by hash. A message rated down after that is shown again. */
function isSetAside(
  { hash, ratedAt }: HashedMessage,
  setAside: ReadonlyMap<string, EpochMs> | undefined,
): boolean {
  const at = setAside?.get(hash);
  return at !== undefined && (ratedAt === undefined || ratedAt <= at);
}

function hashesOf(texts: readonly string[]): Buffer[] {
  return [...new Map(texts.map(textHashOf).map((hash) => [hash.toHex(), hash])).values()];
}
