import type { HandoffEvent } from "./handoff.ts";

/** The fields of a turn that a transcript needs. */
interface PlacedTurn {
  at: number;
  /** Empty, or absent, where it is not stored. */
  input?: string;
  metadata: { handoff?: { state: string } };
}

interface PlacedHandoff {
  createdAt: number;
}

/** An entry of a conversation, in order. */
export type TranscriptEntry<Turn extends PlacedTurn, Handoff extends PlacedHandoff> =
  | { kind: "turn"; turn: Turn }
  /** A message to an operator, which the bot did not answer. `input` is its text if stored, `to` the operator's name if known. */
  | { kind: "passed-on"; turn: Turn; input?: string; to?: string }
  | { kind: "handoff"; handoff: Handoff }
  /** A message of an operator, or an operator joining or leaving. */
  | { kind: "event"; event: HandoffEvent };

/** The contents of a conversation, each list in its own order. */
export interface WholeConversation<Turn extends PlacedTurn, Handoff extends PlacedHandoff> {
  turns: readonly Turn[];
  handoffs: readonly Handoff[];
  events: readonly HandoffEvent[];
}

const STATES: Readonly<Record<string, string>> = {
  live: "joined",
  open: "The bot answers again",
  closed: "Closed",
};

/** An operator joining or leaving, in words for operators: `Ann joined`, `Closed`. Pure. */
export function stateInWords({ name, text }: Pick<HandoffEvent, "name" | "text">): string {
  const state = STATES[text] ?? text;
  return name === undefined ? state : `${name} ${state}`;
}

/** Whether an operator got the message. */
export const isPassedOn = ({ metadata }: Pick<PlacedTurn, "metadata">): boolean =>
  metadata.handoff?.state === "live";

/**
 * Everything in a conversation in the order of time, each message once. A message to an operator is stored twice, as a turn and as an event:
 * the transcript has the turn, with the event's text if the turn's is not stored. At the same instant, hand-offs come first, then events,
 * then turns. Pure.
 */
export function transcriptOf<Turn extends PlacedTurn, Handoff extends PlacedHandoff>({
  turns,
  handoffs,
  events,
}: WholeConversation<Turn, Handoff>): TranscriptEntry<Turn, Handoff>[] {
  const { passedOn, others } = pairUp(turns, events);
  let operator: string | undefined;
  const placed = mergedByTime<TranscriptEntry<Turn, Handoff>>([
    handoffs.map((handoff) => [handoff.createdAt, { kind: "handoff", handoff }]),
    others.map((event) => [event.at, { kind: "event", event }]),
    turns.map((turn) => [turn.at, passedOn.get(turn) ?? { kind: "turn", turn }]),
  ]);
  return placed.map((entry) => {
    if (entry.kind === "event") operator = operatorAfter(entry.event, operator);
    return entry.kind === "passed-on" && operator !== undefined ? { ...entry, to: operator } : entry;
  });
}

/** The name of the operator who has joined, after an event. */
const operatorAfter = ({ kind, text, name }: HandoffEvent, before: string | undefined) =>
  kind === "state" && text !== "live" ? undefined : (name ?? before);

/** Finds the event of each message to an operator: it has the same instant. `others` are the events without such a message. */
function pairUp<Turn extends PlacedTurn>(turns: readonly Turn[], events: readonly HandoffEvent[]) {
  const others = [...events];
  const passedOn = new Map<Turn, { kind: "passed-on"; turn: Turn; input?: string }>();
  for (const turn of turns.filter(isPassedOn)) {
    const at = others.findIndex((event) => event.kind === "visitor" && event.at === turn.at);
    const [event] = at < 0 ? [] : others.splice(at, 1);
    const input = turn.input || event?.text;
    passedOn.set(turn, { kind: "passed-on", turn, ...(input !== undefined && { input }) });
  }
  return { passedOn, others };
}

/** Several lists as one, by time; each keeps its own order, even if a clock went back. */
function mergedByTime<Item>(lists: readonly (readonly (readonly [at: number, item: Item])[])[]): Item[] {
  const next = lists.map(() => 0);
  const headAt = (list: number) => lists[list]![next[list]!]?.[0] ?? Infinity;
  const count = lists.reduce((sum, { length }) => sum + length, 0);
  return Array.from({ length: count }, () => {
    const earliest = Math.min(...lists.map((_, list) => headAt(list)));
    const list = lists.findIndex((_, each) => headAt(each) === earliest);
    return lists[list]![next[list]!++]![1];
  });
}
