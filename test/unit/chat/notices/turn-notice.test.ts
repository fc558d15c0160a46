import { expect, test } from "bun:test";

import { turnNotice } from "../../../../src/chat/notices/compose-notice.ts";
import type { StoredTurn } from "../../../../src/store/interface/conversations.ts";

const told = { botId: "shop", botName: "Shop", conversationId: "cv_1" };

function turn(fields: Record<string, unknown> = {}, receipt: object = {}): StoredTurn {
  return {
    requestId: "rq_1",
    at: Date.UTC(2026, 10, 22),
    input: "sell me xanax",
    metadata: { capabilityAllowed: false, enforcementReason: "DENY_LIST" },
    receipt: { rule: "deny-term", readings: [], ...receipt },
    ...fields,
  } as unknown as StoredTurn;
}

const scores = (confidence: number) => ({
  readings: [
    { reading: "plain", scores: [{ intent: "orders.status", confidence }], inScope: 0.2, denied: 0 },
  ],
});

test("names the term of the profile that refused it, and nothing of the message", () => {
  const deniedBy = { term: "xanax" };
  const notice = turnNotice({
    type: "turn.refused",
    turn: turn({}, { deniedBy, ...scores(0.4) }),
    told,
    hasText: false,
    operatorUrl: undefined,
  });
  expect(notice).toEqual({
    type: "turn.refused",
    timestamp: "2026-11-22T00:00:00.000Z",
    data: {
      ...told,
      requestId: "rq_1",
      at: "2026-11-22T00:00:00.000Z",
      reason: "DENY_LIST",
      rule: "deny-term",
      deniedBy,
    },
  });
});

test("names what came closest where nothing matched, if that is more than a guess", () => {
  const unmatched = { metadata: { enforcementReason: "no_intent_match" } };
  const dataOf = (confidence: number) =>
    turnNotice({
      type: "turn.unmatched",
      turn: turn(unmatched, scores(confidence)),
      told,
      hasText: true,
      operatorUrl: "https://ops.example",
    })!.data;
  expect(dataOf(0.3)).toMatchObject({
    closestIntent: "orders.status",
    confidence: 0.3,
    link: "https://ops.example/conversations/cv_1",
    input: "sell me xanax",
  });
  expect(dataOf(0.05)).not.toHaveProperty("closestIntent");
});

test("tells nothing of a turn that was not restricted", () => {
  const answered = turn({ metadata: {} });
  expect(
    turnNotice({ type: "turn.refused", turn: answered, told, hasText: true, operatorUrl: undefined }),
  ).toBeUndefined();
});
