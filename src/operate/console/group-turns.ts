import type { ImproveGroup } from "../../domain/operator/improve.ts";
import { sha256 } from "../../domain/sha256.ts";
import { comparableText, type TextCluster } from "../../intent/classifier.ts";
import type { UnansweredTurn } from "../../store/interface/analytics.ts";

type Kind = ImproveGroup["kind"];
type GroupMessage = ImproveGroup["messages"][number];

/** A message of a group, and by what it is set aside. */
export interface HashedMessage extends GroupMessage {
  /** See {@link textHashOf}, in hexadecimal. */
  hash: string;
  firstAt: number;
  /** Of its turns, what each came closest to, or was refused as. */
  intents: readonly (string | null)[];
}

/** Messages that say much the same, before it is looked which of them were dealt with. */
export interface TurnGroup extends Pick<ImproveGroup, "bot" | "kind" | "reason"> {
  messages: readonly HashedMessage[];
}

/** Groups texts by likeness, as `clusterTexts` does. */
type Cluster = (texts: readonly string[]) => Promise<readonly TextCluster[]>;

/** Messages that a page lists of a group. */
const MOST_MESSAGES = 50;

/** What stands for a text that was set aside: the same for texts which differ in case, marks and spacing alone. */
export function textHashOf(text: string): Buffer {
  return sha256(comparableText(text));
}

/** Groups turns by likeness, each bot's and kind's by themselves, refusals by what they were refused as. The most frequent first. */
export async function groupTurns(turns: readonly UnansweredTurn[], cluster: Cluster): Promise<TurnGroup[]> {
  const groups: TurnGroup[] = [];
  for (const alike of Map.groupBy(turns, apartKey).values()) {
    const { bot, outcome, reason } = alike[0]!;
    const kind = outcome as Kind;
    const texts = [...Map.groupBy(alike, ({ input }) => textHashOf(input).toHex())];
    const messages = texts.map(([hash, said]) => toMessage(hash, said));
    const counted = messages.flatMap(({ text, times }) => Array.from({ length: times }, () => text));
    const indexOf = placesOf(messages, counted.length);
    for (const { members } of await cluster(counted)) {
      const own = members.map((place) => messages[indexOf[place]!]!);
      groups.push({ bot, kind, reason: kind === "unmatched" ? null : reason, messages: own });
    }
  }
  return groups.toSorted((a, b) => timesOf(b) - timesOf(a));
}

/** The group without messages that were set aside; undefined where none is left. */
export function withoutSetAside(
  group: TurnGroup,
  isSetAside: (hash: string) => boolean,
): TurnGroup | undefined {
  const messages = group.messages.filter(({ hash }) => !isSetAside(hash));
  return messages.length === 0 ? undefined : { ...group, messages };
}

export function timesOf({ messages }: Pick<TurnGroup, "messages">): number {
  return messages.reduce((sum, { times }) => sum + times, 0);
}

/** As it is shown. @param nearest intents that a new example would fit best. */
export function toImproveGroup(group: TurnGroup, nearest: ImproveGroup["nearest"]): ImproveGroup {
  const { bot, kind, reason, messages } = group;
  return {
    id: sha256(JSON.stringify([bot, kind, messages[0]!.hash]))
      .toHex()
      .slice(0, 16),
    bot,
    kind,
    reason,
    turns: timesOf(group),
    distinct: messages.length,
    firstAt: Math.min(...messages.map(({ firstAt }) => firstAt)),
    latestAt: Math.max(...messages.map(({ latestAt }) => latestAt)),
    intent: mostFrequent(messages.flatMap(({ intents }) => intents)),
    nearest,
    messages: messages
      .slice(0, MOST_MESSAGES)
      .map(({ text, times, latestAt, requestId, conversationId }) => ({
        text,
        times,
        latestAt,
        requestId,
        conversationId,
      })),
  };
}

function apartKey({ bot, outcome, reason, intent }: UnansweredTurn): string {
  return JSON.stringify(outcome === "refused" ? [bot, outcome, reason, intent] : [bot, outcome]);
}

/** @param said all with the same text but for its spelling, the latest first. */
function toMessage(hash: string, said: readonly UnansweredTurn[]): HashedMessage {
  const { input, at, requestId, conversationId } = said[0]!;
  const intents = said.map(({ intent }) => intent);
  const firstAt = Math.min(...said.map((turn) => turn.at));
  return { hash, text: input, times: said.length, latestAt: at, firstAt, requestId, conversationId, intents };
}

/** Of each place in the list of texts, in which each stands as often as it was said, the message that it is. */
function placesOf(messages: readonly HashedMessage[], length: number): Int32Array {
  const places = new Int32Array(length);
  let from = 0;
  for (const [i, { times }] of messages.entries()) places.fill(i, from, (from += times));
  return places;
}

function mostFrequent(names: readonly (string | null)[]): string | null {
  const [best] = [...Map.groupBy(names, (name) => name)].toSorted(([, a], [, b]) => b.length - a.length);
  return best?.[0] ?? null;
}
