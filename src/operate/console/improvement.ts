import type { LoadedBot } from "../../bots/loaded-bot.ts";
import type { Awaitable } from "../../domain/awaitable.ts";
import { Breather } from "../../domain/breather.ts";
import type { ImproveGroup, ImprovePage, SetAside } from "../../domain/operator/improve.ts";
import type { EpochMs } from "../../domain/time.ts";
import type { TextCluster } from "../../intent/classifier.ts";
import type { Store } from "../../store/interface/store.ts";
import { findLikelyWrong } from "../likely-wrong/likely-wrong.ts";
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

/** What improving is made of. */
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
  /** Groups texts by likeness, on a thread of its own. */
  cluster: (texts: readonly string[]) => Promise<readonly TextCluster[]>;
}

export interface ImproveQuery {
  bot?: string;
  /** Absent: all that were not answered, and all whose answers did not help. */
  outcome?: ImproveGroup["kind"];
  since: EpochMs;
}

/** What was grouped of a query, and when. */
interface Grouping {
  groups: readonly TurnGroup[];
  looked: number;
  turns: number;
  notKept: number;
  /** Until when it is as good as new, by a clock of which only differences count. */
  freshUntil: number;
  /** Until when it is shown while a new one is made. */
  shownUntil: number;
}

/** The latest turns that are grouped, of those that were not answered and of those that did not help: some seconds of another thread. */
const MOST_TURNS = 5000;
/** For the number on the overview, which is to be there at once. */
const MOST_COUNTED = 500;
/** Answers that are looked at for signs that they are wrong, the latest of all bots together: they are read at a stretch, while visitors wait. */
const MOST_ANSWERED = 300;
/** Groups of a page: nobody works through more at a sitting, and each is classified. */
const MOST_GROUPS = 200;
/** Of these, groups of answers that did not help, and as many that are likely wrong: they are few beside what was not answered, and would else come last. */
const MOST_OF_ANSWERS = 50;
const MOST_NEAREST = 3;
/** Messages of a bot whose nearest intents are remembered. */
const MOST_KNOWN = 2000;
/** A grouping is kept for a second, and longer where it took long: to look again and again takes no more than a tenth of a core. */
const FRESH_MS = 1000;
const FRESH_TIMES = 10;
/** One that took longer than somebody should wait is shown for a while after that, and made anew meanwhile. */
const LONG_MS = 200;
const SHOWN_MS = 10 * 60_000;
/** Groupings that are kept at one time. */
const MOST_KEPT = 8;
/** Instants from which on is looked are whole hours, so that what is kept is of use. */
const SINCE_STEP_MS = 60 * 60_000;

/** What was grouped lately, and what is being grouped. */
class Groupings {
  readonly kept = new Map<string, Grouping>();
  readonly renewing = new Map<string, Promise<Grouping>>();

  /** Until it is no longer shown: messages stay in memory no longer than they are of use. */
  keep(key: string, grouping: Grouping): void {
    this.kept.delete(key);
    this.kept.set(key, grouping);
    for (const oldest of [...this.kept.keys()].slice(0, -MOST_KEPT)) this.kept.delete(oldest);
    const letGo = () => this.kept.get(key) === grouping && this.kept.delete(key);
    setTimeout(letGo, grouping.shownUntil - performance.now()).unref();
  }
}

/** Finds what a bot should be taught: what was not answered, in groups by likeness, and which answers did not help, by intent. */
export class Improvement {
  readonly #parts: ImprovementParts;
  #groupings = new Groupings();
  /** By version of a bot, and by message: as long as the version is open. */
  readonly #known = new WeakMap<object, Map<string, ImproveGroup["nearest"]>>();

  constructor(parts: ImprovementParts) {
    this.#parts = parts;
  }

  /** The groups that nobody has dealt with, the most frequent first. @throws ServiceError NOT_FOUND where there is no such bot. */
  async page(query: ImproveQuery): Promise<ImprovePage> {
    const { looked, turns, notKept, groups } = await this.#grouping(query, MOST_TURNS);
    const { open, setAside } = await this.#withoutSetAside(groups, query.bot);
    const breather = new Breather();
    const shown: ImproveGroup[] = [];
    for (const group of await this.#withoutDeleted(shownOf(open))) {
      shown.push(toImproveGroup(group, await this.#nearest(group)));
      await breather.breathe();
    }
    return { groups: shown, looked, turns, notKept, setAside };
  }

  /** Lets go of every message: some have been deleted for good. What is being grouped at this moment is not kept either. */
  forget(): void {
    this.#groupings = new Groupings();
  }

  /** How many groups nobody has dealt with, among the latest turns, and how many messages are in them. */
  async countWaiting(bot: string | undefined, since: EpochMs): Promise<{ groups: number; messages: number }> {
    const { groups } = await this.#grouping({ since, ...(bot !== undefined && { bot }) }, MOST_COUNTED);
    const { open } = await this.#withoutSetAside(groups, bot);
    return { groups: open.length, messages: open.reduce((sum, group) => sum + timesOf(group), 0) };
  }

  /** @throws ServiceError NOT_FOUND where there is no such bot. */
  async setAside({ bot, as, texts }: SetAside, by: string): Promise<void> {
    const key = await findBotKey(this.#parts.store.bots, bot);
    await this.#parts.store.analytics.setAside(key!, hashesOf(texts), as, by);
  }

  /** @throws ServiceError NOT_FOUND where there is no such bot. */
  async takeBack({ bot, texts }: Pick<SetAside, "bot" | "texts">): Promise<void> {
    const key = await findBotKey(this.#parts.store.bots, bot);
    await this.#parts.store.analytics.takeBack(key!, hashesOf(texts));
  }

  /** As it was found lately, or as it is found now: whoever asks the same meanwhile waits for the same. */
  async #grouping(query: ImproveQuery, most: number): Promise<Grouping> {
    const since = query.since - (query.since % SINCE_STEP_MS);
    const key = JSON.stringify([query.bot, query.outcome, since, most]);
    const { kept: all, renewing } = this.#groupings;
    const kept = all.get(key);
    const now = performance.now();
    if (kept && kept.freshUntil > now) return kept;
    const renewed = renewing.getOrInsertComputed(key, () => this.#renew(key, { ...query, since }, most));
    if (!kept || kept.shownUntil <= now) return renewed;
    // What fails is told to whoever waits for it; the next who asks has it made anew.
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

  /** At most `limit` turns that were not answered, and as many that did not help; and how many there are. */
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
    // Not for the number on the overview: it is to be there at once.
    const isWrong = limit === MOST_TURNS && (outcome === undefined || outcome === "wrong");
    const wrong = isWrong ? await this.#likelyWrong(id, since) : [];
    return {
      turns: [...unanswered.turns.map(unansweredToGroup), ...unhelpful.turns.map(unhelpfulToGroup), ...wrong],
      total: unanswered.total + unhelpful.total + wrong.length,
    };
  }

  /** Of enabled bots; what visitors rated down is among what did not help. */
  async #likelyWrong(id: string | undefined, since: EpochMs): Promise<TurnToGroup[]> {
    const { store, bots } = this.#parts;
    const key = await findBotKey(store.bots, id);
    const heads = (await store.bots.listEnabled()).filter((head) => key === undefined || head.key === key);
    const breather = new Breather();
    const found: TurnToGroup[] = [];
    let left = MOST_ANSWERED;
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

  /** Messages may have expired since they were grouped, or been deleted by a command or another server. */
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

  /** The allowed intents that the group's most typical message is closest to; none of a bot that is disabled. */
  async #nearest({ bot: id, messages }: TurnGroup): Promise<ImproveGroup["nearest"]> {
    const bot = await this.#parts.bots.find(id);
    if (!bot) return [];
    const { hash, text } = messages[0]!;
    const known = this.#known.getOrInsertComputed(bot, () => new Map<string, ImproveGroup["nearest"]>());
    if (known.size > MOST_KNOWN) known.clear();
    return known.getOrInsertComputed(hash, () =>
      bot.classifier
        .classify(text)
        .scores.filter(({ intent }) => bot.policy.profile.standingOf(intent) === "allowed")
        .slice(0, MOST_NEAREST),
    );
  }
}

const UNANSWERED = ["unmatched", "asked", "refused"] as const;

/** The most frequent, some of them of answers that did not help or are likely wrong, wherever there are any. */
function shownOf(groups: readonly TurnGroup[]): TurnGroup[] {
  const ofAnswers = (["unhelpful", "wrong"] as const).flatMap((wanted) =>
    groups.filter(({ kind }) => kind === wanted).slice(0, MOST_OF_ANSWERS),
  );
  const others = groups.filter(({ kind }) => !isOfAnswers(kind));
  return [...ofAnswers, ...others.slice(0, MOST_GROUPS - ofAnswers.length)];
}

/** @param setAside when each message was set aside, by its hash. What was rated down since then is news. */
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
