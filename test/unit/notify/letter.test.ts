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
  const first = letterOf(NOTICE);
  const update = letterOf({ ...NOTICE, data: { ...NOTICE.data, isUpdate: true } });
  expect(first.subject).toBe("A visitor asks for a person (Shop)");
  expect(first.text).toStartWith("A visitor of Shop asks for a person.\n");
  expect(update.subject).toBe("More from a visitor who asks for a person (Shop)");
  expect(update.text).toStartWith("A visitor of Shop who asks for a person has written more.");
  expect(update.text).toContain("Message: call me\n\nat noon");
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
  const { text } = letterOf({ ...NOTICE, data: { ...NOTICE.data, transcript } });
  expect(text).toContain(
    "Visitor: where is it\n\nBot: On its way.\n\n(Ann is there)\n\nVisitor: hello?\n\nAnn: Hello\n\n(The bot answers again)\n\n",
  );
});

test("a name of several lines, as older hand-offs may hold, is one line", () => {
  const fields = { name: "Ada\r\nBcc: victim@example.com" };
  const { text } = letterOf({ ...NOTICE, data: { ...NOTICE.data, fields } });
  expect(text).toContain("Name: Ada Bcc: victim@example.com\n");
});
