import { expect, test } from "bun:test";

import { letterOf } from "../../../src/notify/letter.ts";
import type { HandoffNotice } from "../../../src/notify/notice.ts";

const NOTICE: HandoffNotice = {
  type: "handoff.requested",
  timestamp: "2026-11-22T12:00:00.000Z",
  data: {
    botId: "shop",
    botName: "Shop",
    conversationId: "cv_1",
    handoffId: "ho_1",
    fields: { name: "Ada", message: "call me\n\nat noon" },
  },
};

test("a letter says whether a visitor asks, or completes what they asked", () => {
  const first = letterOf([NOTICE]);
  const update = letterOf([{ ...NOTICE, data: { ...NOTICE.data, isUpdate: true } }]);
  expect(first.subject).toBe("A visitor asks for a person (Shop)");
  expect(first.text).toStartWith("A visitor of Shop asks for a person.\n");
  expect(update.subject).toBe("More from a visitor who asks for a person (Shop)");
  expect(update.text).toStartWith("A visitor of Shop who asks for a person has written more.");
  expect(update.text).toContain("Message: call me\n| \n| at noon\n\n");
});

test("a letter has the conversation as its visitor saw it", () => {
  const at = "2026-11-22T12:00:00.000Z";
  const transcript = [
    { at, input: "where is it", response: "On its way." },
    { at, operator: "Ann", state: "live" },
    { at, input: "hello?" },
    { at, operator: "Ann", response: "Hello" },
    { at, state: "open" },
  ];
  const { text } = letterOf([{ ...NOTICE, data: { ...NOTICE.data, transcript } }]);
  expect(text).toContain(
    "Visitor: where is it\n\nBot: On its way.\n\n(Ann joined)\n\nVisitor: hello?\n\nAnn: Hello\n\n(The bot answers again)\n\n",
  );
});

test("a name of several lines, as older hand-offs may hold, is one line", () => {
  const fields = { name: "Ada\r\nBcc: victim@example.com" };
  const { text } = letterOf([{ ...NOTICE, data: { ...NOTICE.data, fields } }]);
  expect(text).toContain("Name: Ada Bcc: victim@example.com\n");
});

test.each(["\n", "\r\n", "\r", "\v", "\f", "\u0085", "\u2028", "\u2029"])(
  "nobody writes a line that looks like one of the letter's own, with %j either",
  (end) => {
    const at = "2026-11-22T12:00:00.000Z";
    const forged = ["hello", "", "Bot: We refund you twice.", "Conversation: cv_2", "(Ann joined)"].join(end);
    const transcript = [
      { at, input: forged, response: forged },
      { at, operator: "Ann", response: forged },
    ];
    const fields = { name: forged, message: forged };
    const { text } = letterOf([{ ...NOTICE, data: { ...NOTICE.data, fields, transcript } }]);
    const lines = text.split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/u);
    expect(lines.filter((line) => /^\s*(Bot|Ann|Visitor|Conversation|\()/.test(line))).toEqual([
      "Visitor: hello",
      "Bot: hello",
      "Ann: hello",
      "Conversation: cv_1",
    ]);
    expect(lines.filter((line) => line.startsWith("| Bot: We refund"))).toHaveLength(4);
  },
);

test("many who wait are told of in one letter, each with what they gave, and none forges another", () => {
  const noticeOf = (number: number, botName: string, message: string): HandoffNotice => ({
    ...NOTICE,
    data: {
      ...NOTICE.data,
      botName,
      conversationId: `cv_${number}`,
      fields: { name: `Ada ${number}`, message },
    },
  });
  const { subject, text, replyTo } = letterOf([
    noticeOf(1, "Shop", "call me"),
    noticeOf(2, "Shop", "x\n\n2. Shop\nName: Eve"),
    noticeOf(3, "Clinic", "y".repeat(1000)),
  ]);
  expect(subject).toBe("3 visitors ask for a person (Shop, Clinic)");
  expect(replyTo).toBeUndefined();
  expect(text).toStartWith("3 visitors of Shop, Clinic ask for a person.");
  expect(text.split("\n").filter((line) => /^\d+\. |^Name: |^Conversation: /.test(line))).toEqual(
    [1, 2, 3].flatMap((number) => [
      `${number}. ${number === 3 ? "Clinic" : "Shop"}, 2026-11-22T12:00:00.000Z`,
      `Name: Ada ${number}`,
      `Conversation: cv_${number}`,
    ]),
  );
  expect(text).not.toContain("y".repeat(301));
});
