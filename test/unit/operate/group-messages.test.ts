import { expect, test } from "bun:test";

import type { IntentName } from "../../../src/domain/ids.ts";
import { groupMessages } from "../../../src/operate/group-messages.ts";
import type { UnansweredMessage } from "../../../src/store/interface/audit.ts";

const UNBOUNDED = { ofGroup: Infinity, inAll: Infinity };
const TENTS = [
  "do you rent out tents",
  "do you rent out a tent",
  "do you rent tents to hikers",
  "rent tents",
];
const OTHERS = ["what is your favourite colour", "qwertz", "pasta carbonara"];

function unmatched(input: string, intent: string | null = null): UnansweredMessage {
  return {
    input,
    intent: intent as IntentName | null,
    reason: "no_intent_match",
    deniedBy: null,
    isAskedBack: false,
    before: null,
    leans: null,
  };
}

test("a group names the intent that came closest to most of its messages", () => {
  const closest = ["camping", null, "camping", "orders"];
  const [group] = groupMessages(
    TENTS.map((text, i) => unmatched(text, closest[i])),
    UNBOUNDED,
  ).clusters;
  expect(group).toMatchObject({ turns: 4, distinct: 4, closestIntent: "camping", refusedIntent: null });
});

test("what was refused as different intents is never in one group, however alike", () => {
  const refused = ["a", "b"].map((intent) => ({
    ...unmatched("delete it all", intent),
    reason: "DENY_LIST" as const,
  }));
  expect(groupMessages(refused, UNBOUNDED).clusters).toMatchObject([
    { turns: 1, refusedIntent: "a", closestIntent: null },
    { turns: 1, refusedIntent: "b", closestIntent: null },
  ]);
});

test("of a group lists no more than asked for, and counts the rest", () => {
  const messages = [...TENTS, ...OTHERS].map((text) => unmatched(text));
  const { clusters, more } = groupMessages(messages, { ofGroup: 3, inAll: Infinity });
  expect(clusters.map(({ examples, distinct }) => [examples.length, distinct])).toEqual([
    [3, 4],
    [1, 1],
    [1, 1],
    [1, 1],
  ]);
  expect(more).toBe(1);
});

test("in all lists no more than asked for, the largest groups first", () => {
  const messages = [...OTHERS, ...TENTS].map((text) => unmatched(text));
  const { clusters, more } = groupMessages(messages, { ofGroup: 3, inAll: 4 });
  expect(clusters.map(({ examples }) => examples.length)).toEqual([3, 1]);
  expect(more).toBe(3);
});

test("a message that came often is one line, and comes first", () => {
  const messages = [...OTHERS, "help", "Help!", "help"].map((text) => unmatched(text));
  const { clusters, more } = groupMessages(messages, UNBOUNDED);
  expect(clusters[0]).toMatchObject({ turns: 3, distinct: 1, examples: ["help"] });
  expect(more).toBe(0);
});
