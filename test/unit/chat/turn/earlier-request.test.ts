import { expect, test } from "bun:test";

import { earlierRequest } from "../../../../src/chat/turn/earlier-turns.ts";
import type { PastTurn } from "../../../../src/domain/conversation.ts";
import type { IntentName, RequestId } from "../../../../src/domain/ids.ts";
import type { Subject } from "../../../../src/domain/subject.ts";
import type { SocialKind } from "../../../../src/domain/texts.ts";

const subject: Subject = { intent: "tyres" as IntentName, name: "changing tyres", words: ["tyres"] };
const answered: PastTurn = {
  requestId: "rq_1" as RequestId,
  at: 0,
  state: "complete",
  input: "change my tyres",
  response: "Come by.",
  intent: "tyres" as IntentName,
  capabilityAllowed: true,
  subject,
};
const { subject: _, intent: __, ...unanswered }: PastTurn = { ...answered, at: 1000, input: "and pizza?" };
const social = (kind: string): PastTurn => ({
  ...unanswered,
  input: kind,
  intent: `social.${kind}` as IntentName,
});
const NO_OWN = { ownIntents: new Map<SocialKind, IntentName>() };
const before = (...turns: PastTurn[]) => earlierRequest(turns, 2000, NO_OWN);

test("is the turn before, with what it was about", () => {
  expect(before(answered)).toEqual({ text: "change my tyres", subject });
});

test("has no subject where nothing was answered", () => {
  expect(before(answered, unanswered)).toEqual({ text: "and pizza?" });
});

test("is behind courtesies, and not behind a goodbye", () => {
  expect(before(answered, social("thanks"), social("acknowledge"))).toEqual({
    text: "change my tyres",
    subject,
  });
  expect(before(answered, social("goodbye"), social("thanks"))).toBeUndefined();
});

test("is nothing behind a goodbye that is an intent of the bot's own", () => {
  const own = { ownIntents: new Map<SocialKind, IntentName>([["goodbye", "tyres" as IntentName]]) };
  expect(earlierRequest([answered], 2000, own)).toBeUndefined();
});

test.each([
  ["nothing was said", []],
  ["its text is not kept", [{ ...answered, input: "" }]],
  ["it is more than ten minutes old", [{ ...answered, at: -10 * 60_000 }]],
])("is nothing where %s", (_title, turns) => {
  expect(before(...turns)).toBeUndefined();
});
