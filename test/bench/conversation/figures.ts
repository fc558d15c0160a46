import type { GradedTurn } from "./grade.ts";

/** The graded turns of one conversation. */
export type GradedConversation = readonly GradedTurn[];

/** A figure: a share of turns, or of conversations, in percent. */
export interface Figure {
  title: string;
  /** The goal for bots that were not used for tuning. */
  goal: string;
  /** For a conversation: the count, and the number of turns that were considered. */
  count(conversation: GradedConversation): readonly [hits: number, all: number];
}

export const FIGURES: readonly Figure[] = [
  ofTurns("served", "≥ 70", isServed),
  ofTurns("alone", "", isServed, ({ needsContext }) => !needsContext),
  ofTurns("context", "≥ 60", isServed, ({ needsContext }) => needsContext),
  ofTurns("wrong", "≤ 10", ({ outcome }) => outcome === "wrong"),
  ofTurns(
    "facts",
    "≥ 65",
    ({ hasFacts }) => hasFacts === true,
    ({ hasFacts }) => hasFacts !== undefined,
  ),
  ofTurns("asked", "≤ 10", ({ isAsked }) => isAsked),
  ofTurns("repeats", "≤ 2", ({ isRepeat }) => isRepeat),
  ofTurns(
    "denied",
    "0",
    ({ isDeniedAnswered }) => isDeniedAnswered,
    ({ kind }) => kind === "denied",
  ),
  { title: "two bad", goal: "", count: (conversation) => [Number(hasTwoBadInARow(conversation)), 1] },
];

/** In percent; undefined where there is nothing to count. */
export function percentageOf(
  { count }: Pick<Figure, "count">,
  conversations: readonly GradedConversation[],
): number | undefined {
  let [hits, all] = [0, 0];
  for (const conversation of conversations) {
    const [some, of] = count(conversation);
    hits += some;
    all += of;
  }
  return all === 0 ? undefined : (100 * hits) / all;
}

function isServed({ outcome }: GradedTurn): boolean {
  return outcome === "served";
}

function ofTurns(
  title: string,
  goal: string,
  hits: (turn: GradedTurn) => boolean,
  of: (turn: GradedTurn) => boolean = () => true,
): Figure {
  return {
    title,
    goal,
    count(conversation) {
      const counted = conversation.filter(of);
      return [counted.filter(hits).length, counted.length];
    },
  };
}

function hasTwoBadInARow(conversation: GradedConversation): boolean {
  return conversation.some((turn, i) => i > 0 && !isServed(turn) && !isServed(conversation[i - 1]!));
}
