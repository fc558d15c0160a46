import type { HandoffEvent } from "./handoff.ts";

/** Facts about a turn that determine its place in a conversation. */
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
  /** A message to an operator, which the bot only acknowledged. `input` is the message. */
  | { kind: "passed-on"; turn: Turn; input?: string; to?: string }
  | { kind: "handoff"; handoff: Handoff }
  /** A message of an operator, or an operator joining or leaving. */
  | { kind: "event"; event: HandoffEvent };

/** The contents of a conversation, each kind in its own order. */
export interface WholeConversation<Turn extends PlacedTurn, Handoff extends PlacedHandoff> {
  turns: readonly Turn[];
  handoffs: readonly Handoff[];
  events: readonly HandoffEvent[];
}

const STATES: Readonly<Record<string, string>> = {
  live: "is there",
  open: "The bot answers again",
  closed: "Closed",
};

/** An operator joining or leaving, for operators: `Ann is there`. Pure. */
export function stateInWords({ name, text }: Pick<HandoffEvent, "name" | "text">): string {
  const state = STATES[text] ?? text;
  return name === undefined ? state : `${name} ${state}`;
}

/** Whether an operator got the message. */
export const isPassedOn = ({ metadata }: Pick<PlacedTurn, "metadata">): boolean =>
  metadata.handoff?.state === "live";

/**
 * A conversation as everybody in it saw it. A message to a person is stored as a turn and as an event: the turn stands for both, with the text
 * of the event where that of the turn is not kept. Of things at the same instant, messages come last. Pure.
 */
export function transcriptOf<Turn extends PlacedTurn, Handoff extends PlacedHandoff>({
  turns,
  handoffs,
  events,
}: WholeConversation<Turn, Handoff>): TranscriptEntry<Turn, Handoff>[] {
  const { passedOn, others } = pairUp(turns, events);
  let there: string | undefined;
  const placed = mergedByTime<TranscriptEntry<Turn, Handoff>>([
    handoffs.map((handoff) => [handoff.createdAt, { kind: "handoff", handoff }]),
    others.map((event) => [event.at, { kind: "event", event }]),
    turns.map((turn) => [turn.at, passedOn.get(turn) ?? { kind: "turn", turn }]),
  ]);
  return placed.map((entry) => {
    if (entry.kind === "event") there = whoIsThere(entry.event, there);
    return entry.kind === "passed-on" && there !== undefined ? { ...entry, to: there } : entry;
  });
}

const whoIsThere = ({ kind, text, name }: HandoffEvent, before: string | undefined) =>
  kind === "state" && text !== "live" ? undefined : (name ?? before);

/** Messages to a person, each with its event, which has the same instant; and the events of which none is. */
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

/** Several lists as one, by time; each keeps its own order, also where clocks went back. */
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
