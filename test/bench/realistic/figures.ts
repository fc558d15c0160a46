import type { MeasuredMessage, Outcome } from "./measure.ts";
import type { MessageKind } from "./messages.ts";

/** One column of the table: the messages, the outcomes that it counts, and the goal. */
export interface Figure {
  title: string;
  kind: MessageKind;
  outcomes: readonly Outcome[];
  goal: string;
}

/** Goals are for the mean of the test bots; the first two have separate goals for English ones. */
export const FIGURES: readonly Figure[] = [
  { title: "served", kind: "in-scope", outcomes: ["right", "asked-right"], goal: "≥ 85 (en 90)" },
  { title: "at once", kind: "in-scope", outcomes: ["right"], goal: "≥ 60 (en 65)" },
  { title: "wrong", kind: "in-scope", outcomes: ["wrong", "denied"], goal: "≤ 5" },
  { title: "denied: answered", kind: "denied", outcomes: ["right", "wrong"], goal: "≤ 3" },
  { title: "near: taken", kind: "near", outcomes: ["right", "wrong", "denied"], goal: "≤ 12" },
  { title: "far: answered", kind: "far", outcomes: ["right", "wrong"], goal: "≤ 3" },
  { title: "far: asked", kind: "far", outcomes: ["asked"], goal: "few" },
  { title: "social", kind: "social", outcomes: ["right"], goal: "≥ 95" },
  { title: "follow-ups", kind: "follow-up", outcomes: ["right"], goal: "≥ 85" },
  { title: "two: both", kind: "two", outcomes: ["right"], goal: "≥ 60" },
];

/** Share, 0–1, of a figure's messages that had one of its outcomes; undefined without such messages. */
export function shareOf(
  { kind, outcomes }: Figure,
  measured: readonly MeasuredMessage[],
): number | undefined {
  const counted = measured.filter(({ message }) => message.kind === kind);
  if (counted.length === 0) return undefined;
  return counted.filter(({ outcome }) => outcomes.includes(outcome)).length / counted.length;
}
