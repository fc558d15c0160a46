import { describe, expect, test } from "bun:test";

import type { HandoffEvent } from "../../../src/domain/handoff.ts";
import type { Kept } from "../../../src/widget/conversation/transcript.ts";
import { tell } from "../../../src/widget/people/events.ts";
import { faultsOf } from "../../../src/widget/people/handoff.tsx";
import { nextOpening } from "../../../src/widget/people/hours.ts";
import type { ParleyMessage } from "../../../src/widget/public.d.ts";

const at = (text: string) => new Date(text).getTime();

describe("when somebody is there again", () => {
  const BERLIN = { timezone: "Europe/Berlin", open: ["Mo-Fr 09:00-17:30", "Sa 10:00-24:00"] };
  test.each([
    // Friday; Berlin is an hour ahead in winter.
    ["2026-11-20T08:00:00Z", undefined],
    ["2026-11-20T16:29:59Z", undefined],
    ["2026-11-20T16:30:00Z", "2026-11-21T09:00:00Z"],
    ["2026-11-20T07:59:30Z", "2026-11-20T08:00:00Z"],
    ["2026-11-21T22:59:00Z", undefined],
    // Saturday's midnight is over.
    ["2026-11-21T23:00:00Z", "2026-11-23T08:00:00Z"],
    // The clocks are put forward on the Sunday between, and back in October.
    ["2026-03-28T23:30:00Z", "2026-03-30T07:00:00Z"],
    ["2026-10-24T22:30:00Z", "2026-10-26T08:00:00Z"],
  ])("at %p it is %p", (now, next) => {
    expect(nextOpening(BERLIN, at(now))).toBe(next === undefined ? undefined : at(next));
  });

  test("days that go over the end of the week are meant all", () => {
    const hours = { timezone: "UTC", open: ["Sa-Mo 10:00-12:00"] };
    const open = ["21", "22", "23", "24"].map(
      (day) => nextOpening(hours, at(`2026-11-${day}T11:00:00Z`)) === undefined,
    );
    expect(open).toEqual([true, true, true, false]);
  });
});

describe("an event of a conversation with a person", () => {
  const visitor = (id: string, text: string, more = {}): ParleyMessage => ({
    id,
    role: "visitor",
    text,
    at: 1,
    ...more,
  });
  const LIVE = { capabilityAllowed: true, schemaEnforced: false, schemaFallbackUsed: false };
  const passedOn = (id: string): ParleyMessage => ({
    id: `${id}.answer`,
    role: "bot",
    text: "Passed on.",
    at: 1,
    metadata: { ...LIVE, handoff: { state: "live" } },
  });
  const event = (number: number, kind: HandoffEvent["kind"], text: string): HandoffEvent => ({
    number,
    at: 5,
    kind,
    text,
    ...(kind === "operator" && { name: "Ann" }),
  });
  const kept = (...messages: ParleyMessage[]): Kept => ({ conversationId: "cv", unread: 0, messages });
  const after = (start: Kept, ...events: HandoffEvent[]) =>
    events.reduce<Kept>((before, one) => Object.assign({}, before, tell(before, one)?.changed), start);
  const texts = ({ messages }: Kept) => messages.map(({ text, number }) => [text, number]);

  test("of an end shows that the bot is back to who wrote with a person, and else that the wish is closed", () => {
    const shown = (...states: string[]) =>
      after(kept(), ...states.map((state, place) => event(place + 1, "state", state))).messages.map(
        ({ state }) => state,
      );
    expect(shown("closed")).toEqual(["closed"]);
    expect(shown("live", "closed")).toEqual(["live", "open"]);
    expect(shown("live", "open", "closed")).toEqual(["live", "open", "closed"]);
    expect(after(kept(), event(1, "state", "closed")).handoff).toMatchObject({ state: "closed", heard: 1 });
  });

  test("is told once, in order, however often it comes", () => {
    const [one, two] = [event(1, "operator", "one"), event(2, "operator", "two")];
    expect(texts(after(kept(), one, two, one, two))).toEqual([
      ["one", 1],
      ["two", 2],
    ]);
  });

  test("numbers the visitor's own message, whether its answer has come or not", () => {
    const start = kept(visitor("a", "hi"), passedOn("a"), visitor("b", "hi"));
    const end = after(start, event(1, "visitor", "hi"), event(2, "visitor", "hi"));
    expect(texts(end)).toEqual([
      ["hi", 1],
      ["Passed on.", undefined],
      ["hi", 2],
    ]);
  });

  test("is not taken for what the bot was asked before", () => {
    const answered: ParleyMessage = { id: "a.answer", role: "bot", text: "Hello.", at: 1 };
    const end = after(kept(visitor("a", "hi"), answered), event(1, "visitor", "hi"));
    expect(texts(end)).toEqual([
      ["hi", undefined],
      ["Hello.", undefined],
      ["hi", 1],
    ]);
  });

  test("stands before a message that has not arrived yet, so that this is sent again", () => {
    const end = after(kept(visitor("a", "wait")), event(1, "operator", "one"));
    expect(texts(end)).toEqual([
      ["one", 1],
      ["wait", undefined],
    ]);
  });

  test("shows that a message marked as not sent has arrived", () => {
    const end = after(kept(visitor("a", "hi", { unsent: true })), event(1, "visitor", "hi"));
    expect(end.messages).toEqual([visitor("a", "hi", { number: 1 })]);
  });

  test("of a state changes that, and counts as nothing that was said", () => {
    const told = tell(kept(), event(3, "state", "live"))!;
    expect(told.changed.handoff).toEqual({ state: "live", heard: 3 });
    expect(told.heard).toBeUndefined();
    expect(tell(kept(), event(3, "operator", "hi"))!.heard).toMatchObject({ name: "Ann", text: "hi" });
  });
});

test.each([
  [["name", "email"], {}, { email: "needsContact" }],
  [["email", "phone"], { phone: "030 1" }, {}],
  [["phone"], {}, { phone: "needsContact" }],
  [["email"], { email: "ada@" }, { email: "badEmail" }],
  [["email"], { email: " ada@example.com " }, {}],
  [["message"], {}, {}],
] as const)("of a form with %p and %p is wrong: %p", (fields, values, faults) => {
  expect(faultsOf(fields, values)).toEqual(faults);
});
