import { clusterTexts } from "../intent/classifier.ts";
import type { AuditStore, DecisionCount, UnmatchedMessage } from "../store/audit.ts";
import type { BotKey } from "../store/bots.ts";

/** How often an intent was, or would have been, refused for a reason. */
export interface RefusalCount {
  reason: string;
  /** null: no intent. */
  intent: string | null;
  turns: number;
}

/** Unmatched messages that say much the same. */
export interface MessageCluster {
  turns: number;
  /** The intent that came closest to most of them; null where nothing did. */
  closestIntent: string | null;
  /** Distinct messages, most typical first. */
  examples: readonly string[];
}

/** What came of a bot's turns. */
export interface DecisionAudit {
  turns: number;
  /** By what the visitor got. */
  decisions: Readonly<Record<string, number>>;
  /** Intents that were refused, most frequent first. */
  refused: readonly RefusalCount[];
  /** Turns that observe mode answered, and enforcement would have restricted, most frequent first. */
  wouldRestrict: { turns: number; refused: readonly RefusalCount[] };
  unmatched: {
    turns: number;
    /** Of these, how many were clustered: the latest. */
    clustered: number;
    /** Of two messages or more, largest first. */
    clusters: readonly MessageCluster[];
  };
}

const MOST_CLUSTERED = 5000;
const MOST_REFUSALS = 20;
const MOST_CLUSTERS = 50;
const MOST_EXAMPLES = 20;

/** Sums up a bot's stored turns since an instant. */
export function auditDecisions(store: AuditStore, bot: BotKey, since: number): DecisionAudit {
  const counts = store.countDecisions(bot, since);
  const unmatched = store.listUnmatched(bot, since, MOST_CLUSTERED);
  const observed = counts.filter(({ wouldReason }) => wouldReason !== null);
  const restricted = counts.filter(
    ({ decision, intent }) => decision !== "allowed" && decision !== "schema_fallback" && intent !== null,
  );
  return {
    turns: sumTurns(counts),
    decisions: sumBy(counts, ({ decision }) => decision),
    refused: topRefusals(
      restricted.map(({ decision, intent, turns }) => ({ reason: decision, intent, turns })),
    ),
    wouldRestrict: {
      turns: sumTurns(observed),
      refused: topRefusals(
        observed.map((count) => ({
          reason: count.wouldReason!,
          intent: count.wouldIntent,
          turns: count.turns,
        })),
      ),
    },
    unmatched: {
      turns: unmatched.length < MOST_CLUSTERED ? unmatched.length : store.countUnmatched(bot, since),
      clustered: unmatched.length,
      clusters: clusterMessages(unmatched),
    },
  };
}

function sumTurns(counts: readonly { turns: number }[]): number {
  return counts.reduce((sum, { turns }) => sum + turns, 0);
}

function sumBy(counts: readonly DecisionCount[], nameOf: (count: DecisionCount) => string) {
  const groups = Map.groupBy(counts, nameOf);
  return Object.fromEntries([...groups].map(([name, same]) => [name, sumTurns(same)]));
}

/** The same intent and reason counted once. */
function topRefusals(refusals: readonly RefusalCount[]): RefusalCount[] {
  const same = Map.groupBy(refusals, ({ reason, intent }) => JSON.stringify([reason, intent]));
  return [...same.values()]
    .map((counts) => ({ ...counts[0]!, turns: sumTurns(counts) }))
    .toSorted((a, b) => b.turns - a.turns)
    .slice(0, MOST_REFUSALS);
}

function clusterMessages(messages: readonly UnmatchedMessage[]): MessageCluster[] {
  return clusterTexts(messages.map(({ input }) => input))
    .filter(({ count }) => count > 1)
    .slice(0, MOST_CLUSTERS)
    .map(({ count, members }) => ({
      turns: count,
      closestIntent: mostFrequent(members.map((i) => messages[i]!.closest)),
      examples: members.slice(0, MOST_EXAMPLES).map((i) => messages[i]!.input),
    }));
}

function mostFrequent(names: readonly (string | null)[]): string | null {
  const [best] = [...Map.groupBy(names, (name) => name)].toSorted(([, a], [, b]) => b.length - a.length);
  return best?.[0] ?? null;
}
