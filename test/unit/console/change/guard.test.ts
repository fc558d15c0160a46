import { expect, test } from "bun:test";

import { guardLines, sizeOf } from "../../../../src/console/change/guard.ts";
import type { ChangedMessage, PublishPreview } from "../../../../src/domain/operator/bots.ts";

const decision = { outcome: "answered", intent: "hours", reason: null, rule: "best-intent" } as const;
const message = (text: string, times: number) =>
  ({ text, times, before: decision, after: decision }) as ChangedMessage;

const IMPROVED = [message("when do you open", 2), message("open on sundays", 1), message("opening", 1)];

function sentences(fields: Partial<PublishPreview>): string[] {
  const none = { mistakes: [], tests: [], newlyAnswered: [], worse: [], improved: [], moved: [] };
  return guardLines({ ...none, messages: 52, ...fields } as unknown as PublishPreview).map(
    ({ strong }) => strong,
  );
}

test("the summary and the headings below it count messages, and headings say how many wordings they are", () => {
  expect(sentences({ improved: IMPROVED })).toContain(
    "4 of the latest 52 messages would get a different decision.",
  );
  expect(sizeOf(IMPROVED)).toBe("4 messages, 3 wordings");
  expect(sizeOf(IMPROVED.slice(1))).toBe("2 messages");
  expect(sentences({ newlyAnswered: IMPROVED })).toContain("4 refused messages would be answered.");
});
