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
