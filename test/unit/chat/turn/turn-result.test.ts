import { expect, test } from "bun:test";

import { turnResultOf } from "../../../../src/chat/turn/answer-turn.ts";
import type { ChatMetadata } from "../../../../src/domain/chat.ts";
import type { DecisionRule } from "../../../../src/domain/decision.ts";
import type { RequestId } from "../../../../src/domain/ids.ts";
import { suggestionsOf, turnWith } from "../../../support/turns.ts";

type Reason = ChatMetadata["enforcementReason"];

test.each<[Reason, DecisionRule, string[], string]>([
  [undefined, "best-intent", [], "answered"],
  [undefined, "choice", [], "answered"],
  [undefined, "social", ["orders.status"], "social"],
  [undefined, "knowledge", [], "knowledge"],
  [undefined, "default-intent", [], "default_intent"],
  ["no_intent_match", "no-match", [], "no_intent_match"],
  ["no_intent_match", "unclear", ["orders.status"], "asked_back"],
  ["DENY_LIST", "denied-in-message", [], "DENY_LIST"],
  ["NOT_IN_ALLOW_LIST", "best-intent", [], "NOT_IN_ALLOW_LIST"],
  ["schema_fallback", "best-intent", [], "schema_fallback"],
])("%s by %s, offering %j: %s", (reason, rule, offered, result) => {
  const plain = turnWith({ requestId: "rq_1" as RequestId, at: 0 });
  const suggestions = suggestionsOf(...offered);
  const metadata = { ...plain.metadata, ...(reason && { enforcementReason: reason }) };
  const receipt = { ...plain.receipt, rule, ...(offered.length > 0 && { suggestions }) };
  expect(turnResultOf({ state: plain.state, metadata, receipt })).toBe(
    result as ReturnType<typeof turnResultOf>,
  );
});

test("a turn that no model answered is no answer", () => {
  const plain = turnWith({ requestId: "rq_1" as RequestId, at: 0 });
  expect(turnResultOf({ ...plain, state: "unanswered" })).toBe("model_down");
});
