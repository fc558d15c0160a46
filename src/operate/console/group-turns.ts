import type { RestrictionReason } from "../../domain/decision.ts";
import type { BotId } from "../../domain/ids.ts";
import type { ImproveGroup } from "../../domain/operator/improve.ts";
import { sha256 } from "../../domain/sha256.ts";
import type { EpochMs } from "../../domain/time.ts";
import { comparableText, type TextCluster } from "../../intent/classifier.ts";
import type { UnansweredTurn, UnhelpfulTurn } from "../../store/interface/analytics.ts";
import { asExample, leansOf, type SaidAfter } from "../fragments.ts";
import { type LikelyWrong, signInWords } from "../likely-wrong/likely-wrong.ts";

type Kind = ImproveGroup["kind"];
type GroupMessage = ImproveGroup["messages"][number];

/** A turn from which a bot can learn. */
export interface TurnToGroup extends Pick<
  UnansweredTurn,
  "requestId" | "conversationId" | "bot" | "at" | "input" | "intent"
> {
  kind: Kind;
  reason: RestrictionReason | null;
  /** What it was said after, where it leans on that. */
  after?: string;
  /** Where its answer did not help, or is likely wrong. */
  answered?: { response: string; reasons: readonly string[]; ratedAt?: EpochMs };
}

/** Its message as an example may have it. */
function exampleOf<Turn extends SaidAfter>({ input, before, leans, ...turn }: Turn) {
  const { text, after } = asExample({ input, before, leans });
  return { ...turn, input: text, ...(after !== undefined && { after }) };
}

export const unansweredToGroup = ({ outcome, ...turn }: UnansweredTurn): TurnToGroup => ({
  ...exampleOf(turn),
  kind: outcome as Kind,
});

export const unhelpfulToGroup = ({ response, why, ratedAt, ...turn }: UnhelpfulTurn): TurnToGroup => ({
  ...exampleOf(turn),
  kind: "unhelpful",
  reason: null,
  answered: { response, reasons: why === null ? [] : [why], ratedAt },
});

/** @param documents what documents are called, by id. */
export function wrongToGroup(
  { requestId, conversationId, at, input, intent, decision, before, response, receipt, signs }: LikelyWrong,
  bot: BotId,
  documents: ReadonlyMap<string, string>,
): TurnToGroup {
  const leans = leansOf(receipt);
  return {
    ...exampleOf({ requestId, conversationId, bot, at, intent, input, before, leans }),
    kind: "wrong",
    reason: decision === "allowed" ? null : (decision as RestrictionReason),
    answered: { response, reasons: signs.map((sign) => signInWords(sign, documents)) },
  };
}

/** A message of a group, and by what it is set aside. */
export interface HashedMessage extends GroupMessage {
  /** See {@link textHashOf}, in hexadecimal. */
  hash: string;
  firstAt: EpochMs;
  /** When an answer to it was last rated down; absent where it is here for another reason. */
  ratedAt?: EpochMs;
  /** Of its turns, what each came closest to, or was refused as. */
  intents: readonly (string | null)[];
}

/** Messages that say much the same, before it is looked which of them were dealt with. */
export interface TurnGroup extends Pick<ImproveGroup, "bot" | "kind" | "reason"> {
  messages: readonly HashedMessage[];
}

/** Groups texts by likeness, as `clusterTexts` does. */
type Cluster = (texts: readonly string[]) => Promise<readonly TextCluster[]>;

/** Reasons that a page lists of a message. */
const MOST_REASONS = 5;
/** Messages that a page lists of a group. */
const MOST_MESSAGES = 50;

/** What stands for a text that was set aside: the same for texts which differ in case, marks and spacing alone. */
export function textHashOf(text: string): Buffer {
  return sha256(comparableText(text));
}

/**
 * Groups turns by likeness, each bot's and kind's by themselves, refusals by what they were refused as. Answers that did not help or are likely
 * wrong are grouped by the intent that gave them: it is the answer that they have in common. The most frequent first.
 */
export async function groupTurns(turns: readonly TurnToGroup[], cluster: Cluster): Promise<TurnGroup[]> {
  const groups: TurnGroup[] = [];
  for (const alike of Map.groupBy(turns, apartKey).values()) {
    const { bot, kind, reason, intent } = alike[0]!;
    const texts = [...Map.groupBy(alike, ({ input }) => textHashOf(input).toHex())];
    const messages = texts.map(([hash, said]) => toMessage(hash, said));
    const common = { bot, kind, reason: kind === "unmatched" ? null : reason };
    if (isOfAnswers(kind) && intent !== null) {
      groups.push({ ...common, messages: messages.toSorted((a, b) => b.times - a.times) });
      continue;
    }
    const counted = messages.flatMap(({ text, times }) => Array.from({ length: times }, () => text));
    const indexOf = placesOf(messages, counted.length);
    for (const { members } of await cluster(counted)) {
      const own = members.map((place) => messages[indexOf[place]!]!);
      groups.push({ ...common, messages: own });
    }
  }
  return groups.toSorted((a, b) => timesOf(b) - timesOf(a));
}

/** The group without messages that were set aside; undefined where none is left. */
export function withoutSetAside(
  group: TurnGroup,
  isSetAside: (message: HashedMessage) => boolean,
): TurnGroup | undefined {
  const messages = group.messages.filter((message) => !isSetAside(message));
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
      .map(({ hash: _hash, firstAt: _firstAt, ratedAt: _ratedAt, intents: _intents, ...message }) => message),
  };
}

/** Whether a kind is of answers, rather than of what was not answered. */
export function isOfAnswers(kind: Kind): boolean {
  return kind === "unhelpful" || kind === "wrong";
}

function apartKey({ bot, kind, reason, intent }: TurnToGroup): string {
  const isByIntent = kind === "refused" || isOfAnswers(kind);
  return JSON.stringify(isByIntent ? [bot, kind, reason, intent] : [bot, kind]);
}

/** @param said all with the same text but for its spelling, the latest first. */
function toMessage(hash: string, said: readonly TurnToGroup[]): HashedMessage {
  const { input, after, at, requestId, conversationId, answered } = said[0]!;
  const intents = said.map(({ intent }) => intent);
  const firstAt = Math.min(...said.map((turn) => turn.at));
  return {
    hash,
    text: input,
    ...(after !== undefined && { after }),
    times: said.length,
    latestAt: at,
    firstAt,
    requestId,
    conversationId,
    intents,
    ...(answered && { answer: answered.response, reasons: reasonsOf(said) }),
    ...(answered?.ratedAt !== undefined && { ratedAt: lastRated(said) }),
  };
}

function reasonsOf(said: readonly TurnToGroup[]): string[] {
  const reasons = new Set(said.flatMap(({ answered }) => answered?.reasons ?? []));
  return [...reasons].slice(0, MOST_REASONS);
}

function lastRated(said: readonly TurnToGroup[]): EpochMs {
  return said.reduce((latest, { answered }) => Math.max(latest, answered?.ratedAt ?? 0), 0);
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
