import type { RestrictionReason } from "../../domain/decision.ts";
import type { BotId } from "../../domain/ids.ts";
import type { ImproveGroup } from "../../domain/operator/improve.ts";
import { sha256 } from "../../domain/sha256.ts";
import type { EpochMs } from "../../domain/time.ts";
import { comparableText, type TextCluster } from "../../intent/classifier.ts";
import type { UnansweredTurn, UnhelpfulTurn } from "../../store/interface/analytics.ts";
import { asExample, leansOf, type SaidAfter } from "../fragments.ts";
import { mostFrequent } from "../group-messages.ts";
import { type LikelyWrong, signInWords } from "../likely-wrong.ts";

type Kind = ImproveGroup["kind"];
type GroupMessage = ImproveGroup["messages"][number];

/** A turn with a message that could become an example. */
export interface TurnToGroup extends Pick<
  UnansweredTurn,
  "requestId" | "conversationId" | "bot" | "at" | "input" | "intent"
> {
  kind: Kind;
  reason: RestrictionReason | null;
  /** The message before it, if it depends on that. */
  after?: string;
  /** The answer, if it did not help or is likely wrong. */
  answered?: { response: string; reasons: readonly string[]; ratedAt?: EpochMs };
}

/** The message in the form of an example. */
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

/** @param documents titles of documents, by id. */
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

/** A message of a group, with the hash by which it is set aside. */
export interface HashedMessage extends GroupMessage {
  /** See {@link textHashOf}, in hexadecimal. */
  hash: string;
  firstAt: EpochMs;
  /** When an answer to it was last rated down; absent for other kinds. */
  ratedAt?: EpochMs;
  /** For each of its turns, the closest intent or the refused one. */
  intents: readonly (string | null)[];
}

/** Similar messages, including those that were set aside. */
export interface TurnGroup extends Pick<ImproveGroup, "bot" | "kind" | "reason"> {
  messages: readonly HashedMessage[];
}

/** Groups texts by similarity; see `clusterTexts`. */
type Cluster = (texts: readonly string[]) => Promise<readonly TextCluster[]>;

/** Most reasons listed for a message. */
const MAX_REASONS = 5;
/** Most messages listed for a group. */
const MAX_MESSAGES = 50;

/** Hash of a text that was set aside. Texts that differ only in case, punctuation and spaces have the same hash. */
export function textHashOf(text: string): Buffer {
  return sha256(comparableText(text));
}

/**
 * Groups turns by similarity, separately for each bot and kind, and refusals also by what was refused. Unhelpful and likely wrong answers
 * are grouped by their intent, because they share the answer. Largest group first.
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

/** The group without messages that were set aside; undefined if none is left. */
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

/** The group in the form of the API. @param nearest the intents it fits best. */
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
      .slice(0, MAX_MESSAGES)
      .map(({ hash: _hash, firstAt: _firstAt, ratedAt: _ratedAt, intents: _intents, ...message }) => message),
  };
}

/** Whether a kind is about answers, not about messages without one. */
export function isOfAnswers(kind: Kind): boolean {
  return kind === "unhelpful" || kind === "wrong";
}

function apartKey({ bot, kind, reason, intent }: TurnToGroup): string {
  const isByIntent = kind === "refused" || isOfAnswers(kind);
  return JSON.stringify(isByIntent ? [bot, kind, reason, intent] : [bot, kind]);
}

/** @param said messages with the same text except for spelling, newest first. */
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
  return [...reasons].slice(0, MAX_REASONS);
}

function lastRated(said: readonly TurnToGroup[]): EpochMs {
  return said.reduce((latest, { answered }) => Math.max(latest, answered?.ratedAt ?? 0), 0);
}

/** For each text in the list, the index of its message. A text occurs as often as it was sent. */
function placesOf(messages: readonly HashedMessage[], length: number): Int32Array {
  const places = new Int32Array(length);
  let from = 0;
  for (const [i, { times }] of messages.entries()) places.fill(i, from, (from += times));
  return places;
}
