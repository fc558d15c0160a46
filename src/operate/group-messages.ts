import { clusterTexts } from "../intent/classifier.ts";
import type { UnansweredMessage } from "../store/interface/audit.ts";
import { asExample } from "./fragments.ts";

/** Similar messages; refused ones share the reason and the refused intent or rule. */
export interface MessageCluster {
  turns: number;
  /** Number of distinct wordings, including those not listed. */
  distinct: number;
  reason: UnansweredMessage["reason"];
  /** The refused intent; null if nothing matched. */
  refusedIntent: string | null;
  /** The term or pattern that denied them; null if none did. */
  deniedBy: UnansweredMessage["deniedBy"];
  /** The closest intent of most of them; null if there is none. */
  closestIntent: string | null;
  /** Distinct wordings, most typical first, in the form of examples; see {@link asExample}. */
  examples: readonly string[];
}

/** The listed groups. */
export interface MessageGroups {
  /** Largest first; a single message is a group, too. */
  clusters: readonly MessageCluster[];
  /** Number of distinct wordings not listed. */
  more: number;
}

/** Most wordings to list. */
export interface GroupBounds {
  ofGroup: number;
  inAll: number;
}

/** Groups messages by similarity. */
export function groupMessages(messages: readonly UnansweredMessage[], bounds: GroupBounds): MessageGroups {
  const groups = [...Map.groupBy(messages, refusalKey).values()]
    .flatMap(clusterMessages)
    .toSorted((a, b) => b.turns - a.turns);
  const clusters = withinBounds(groups, bounds);
  return {
    clusters,
    more: countDistinct(groups) - clusters.reduce((sum, { examples }) => sum + examples.length, 0),
  };
}

/** Only messages with the same key are grouped: those that matched nothing, or those refused for the same reason and intent. */
function refusalKey({ reason, intent, deniedBy }: UnansweredMessage): string {
  return reason === "no_intent_match" ? reason : JSON.stringify([reason, intent, deniedBy]);
}

/** All messages have the same `refusalKey`. */
function clusterMessages(messages: readonly UnansweredMessage[]): MessageCluster[] {
  const { reason, intent, deniedBy } = messages[0]!;
  const isRefused = reason !== "no_intent_match";
  const texts = messages.map((message) => asExample(message).text);
  return clusterTexts(texts).map(({ count, members }) => ({
    turns: count,
    distinct: members.length,
    reason,
    refusedIntent: isRefused ? intent : null,
    deniedBy: isRefused ? deniedBy : null,
    closestIntent: isRefused ? null : mostFrequent(members.map((i) => messages[i]!.intent)),
    examples: members.map((i) => texts[i]!),
  }));
}

/** Cuts the list to the bounds, keeping the first groups. */
function withinBounds(groups: readonly MessageCluster[], { ofGroup, inAll }: GroupBounds): MessageCluster[] {
  const listed: MessageCluster[] = [];
  let left = inAll;
  for (const group of groups) {
    if (left === 0) break;
    const examples = group.examples.slice(0, Math.min(ofGroup, left));
    left -= examples.length;
    listed.push({ ...group, examples });
  }
  return listed;
}

function countDistinct(groups: readonly MessageCluster[]): number {
  return groups.reduce((sum, { distinct }) => sum + distinct, 0);
}

/** The name that is given most often; null if there are none. */
export function mostFrequent(names: readonly (string | null)[]): string | null {
  const [best] = [...Map.groupBy(names, (name) => name)].toSorted(([, a], [, b]) => b.length - a.length);
  return best?.[0] ?? null;
}
