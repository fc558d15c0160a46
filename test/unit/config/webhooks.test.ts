import { describe, expect, test } from "bun:test";

import { loadConfig } from "../../../src/config/config.ts";

function webhooksOf(fields: string) {
  const file = `webhooks: {crm: {url: "https://crm.example", secretEnv: CRM_SECRET, ${fields}}}`;
  return loadConfig({ flags: { config: "parley.yaml" }, env: {}, readFile: () => file }).webhooks;
}

describe("a webhook of the configuration", () => {
  test("names events of turns, and whether it gets texts", () => {
    expect(webhooksOf("events: [turn.refused, cap.near], texts: true")["crm"]).toMatchObject({
      events: ["turn.refused", "cap.near"],
      texts: true,
    });
  });

  test.each([
    [
      "events: [turn.refuse]",
      "a list of handoff.requested, feedback.given, cap.near, turn.refused, turn.unmatched, action.done, action.failed",
    ],
    ["events: []", "`crm.events`"],
    ["texts: 1", "`crm.texts`: true or false"],
    ["text: true", "did you mean `texts`?"],
  ])("%p is refused, with what would be right", (fields, message) => {
    expect(() => webhooksOf(fields)).toThrow(message);
  });
});
