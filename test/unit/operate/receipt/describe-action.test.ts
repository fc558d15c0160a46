import { describe, expect, test } from "bun:test";

import type { ActionReceipt } from "../../../../src/domain/action.ts";
import type { IntentName } from "../../../../src/domain/ids.ts";
import { describeAction } from "../../../../src/operate/receipt/describe-action.ts";

const intent = "orders.status" as IntentName;
const call = { id: "ac_1", endpoint: "orders", method: "GET", milliseconds: 12.5 } as const;

describe("what a turn did for an action", () => {
  test.each<[Omit<ActionReceipt, "intent">, string[]]>([
    [
      { state: "asking", slot: "email", wrong: true },
      ["orders.status: asked for `email` again, as the reply was none"],
    ],
    [{ state: "confirm", confirms: "ac_1" }, ["orders.status: asked for a yes"]],
    [{ ended: "cancelled" }, ["orders.status: the visitor ended it"]],
    [{ denied: true }, ["orders.status: what was given is denied, and fills nothing"]],
    [
      { state: "done", filled: [{ slot: "email", from: "reply" }], call: { ...call, status: 200 } },
      ["orders.status: done", "`email` from the reply", "GET orders: status 200 in 12.5 ms"],
    ],
    [
      { state: "failed", call: { ...call, status: 404, proofFailed: true } },
      ["orders.status: not done", "GET orders: status 404 in 12.5 ms; the proof failed"],
    ],
    [
      { state: "unsure", call: { ...call, fault: "timeout" } },
      [
        "orders.status: nobody knows whether it was done",
        "GET orders: no answer in 12.5 ms; no answer in time",
      ],
    ],
    [
      { state: "failed", call: { ...call, isDry: true } },
      ["orders.status: not done", "would call GET orders"],
    ],
  ])("%j", (receipt, lines) => {
    expect(describeAction({ action: { intent, ...receipt } })).toEqual(lines);
  });

  test("is nothing where it had no part", () => {
    expect(describeAction({})).toEqual([]);
  });
});
