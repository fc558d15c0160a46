import { clusterTexts } from "../intent/classifier.ts";
import type { UnansweredMessage } from "../store/interface/audit.ts";
import { asExample } from "./fragments.ts";

/** Messages that say much the same, and were refused for the same reason as the same intent or by the same rule, where they were refused. */
export interface MessageCluster {
  turns: number;
  /** Messages of different wording, those that are not listed included. */
  distinct: number;
  reason: UnansweredMessage["reason"];
  /** What the profile refused them as; null for what nothing matched. */
  refusedIntent: string | null;
  /** The term or pattern that denied them; null where none did. */
  deniedBy: UnansweredMessage["deniedBy"];
  /** The intent that came closest to most of them; null where nothing did. */
  closestIntent: string | null;
  /** Of different wording, most typical first; each as an example may have it, see {@link asExample}. */
  examples: readonly string[];
}

/** What is listed of the groups. */
export interface MessageGroups {
  /** Most frequent first; one message alone is a group, too. */
  clusters: readonly MessageCluster[];
  /** Messages of different wording that are not listed. */
  more: number;
}

/** How many messages of different wording are listed. */
export interface GroupBounds {
  ofGroup: number;
  inAll: number;
}

/** Groups messages by likeness. */
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

/** The same for messages that may be grouped: what nothing matched, or what was refused as the same intent for the same reason. */
function refusalKey({ reason, intent, deniedBy }: UnansweredMessage): string {
  return reason === "no_intent_match" ? reason : JSON.stringify([reason, intent, deniedBy]);
}

/** All of the messages have one `refusalKey`. */
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

/** As many as the bounds allow, of the first groups first. */
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

function mostFrequent(names: readonly (string | null)[]): string | null {
  const [best] = [...Map.groupBy(names, (name) => name)].toSorted(([, a], [, b]) => b.length - a.length);
  return best?.[0] ?? null;
}
