import { describe, expect, test } from "bun:test";

import type { HandoffEvent } from "../../../src/domain/handoff.ts";
import { transcriptOf } from "../../../src/domain/transcript.ts";

const bot = (at: number, input: string) => ({ at, input, metadata: {} });
const live = (at: number, input: string) => ({ at, input, metadata: { handoff: { state: "live" } } });
const event = (number: number, at: number, kind: HandoffEvent["kind"], text: string, name?: string) => ({
  number,
  at,
  kind,
  text,
  ...(name !== undefined && { name }),
});

function shown(whole: Parameters<typeof transcriptOf<ReturnType<typeof live>, { createdAt: number }>>[0]) {
  return transcriptOf(whole).map((entry) => {
    if (entry.kind === "event") return entry.event.text;
    if (entry.kind === "handoff") return "handoff";
    return entry.kind === "turn" ? entry.turn.input : `${entry.input} → ${entry.to}`;
  });
}

describe("a transcript", () => {
  const events = [
    event(1, 3, "state", "live", "Ann"),
    event(2, 4, "visitor", "hello?"),
    event(3, 5, "operator", "Hello", "Ann"),
    event(4, 6, "operator", "I go on", "Ben"),
    event(5, 7, "visitor", "thanks"),
    event(6, 8, "state", "open"),
  ];

  test("has everything in its place, messages to a person once", () => {
    const turns = [bot(1, "order"), live(4, "hello?"), live(7, "thanks"), bot(9, "order again")];
    expect(shown({ turns, handoffs: [{ createdAt: 2 }], events } as never)).toEqual([
      "order",
      "handoff",
      "live",
      "hello? → Ann",
      "Hello",
      "I go on",
      "thanks → Ben",
      "open",
      "order again",
    ]);
  });

  test("has the words of a message to a person where those of the turn are not kept", () => {
    expect(shown({ turns: [live(4, ""), live(7, "[e-mail]")], handoffs: [], events })).toEqual([
      "live",
      "hello? → Ann",
      "Hello",
      "I go on",
      "[e-mail] → Ben",
      "open",
    ]);
  });

  test("of a person who has gone, and without events, names nobody", () => {
    expect(shown({ turns: [live(9, "late")], handoffs: [], events: events.slice(5) })).toEqual([
      "open",
      "late → undefined",
    ]);
  });

  test("keeps the order of turns where a clock went back", () => {
    const turns = [bot(5, "first"), bot(3, "second"), bot(6, "third")];
    expect(shown({ turns, handoffs: [{ createdAt: 4 }], events: [] } as never)).toEqual([
      "handoff",
      "first",
      "second",
      "third",
    ]);
  });
});
