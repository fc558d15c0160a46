import { describe, expect, test } from "bun:test";

import { refusalText } from "../../../../src/chat/turn/refusal.ts";
import type { Restriction, RestrictionReason } from "../../../../src/domain/decision.ts";
import type { IntentName } from "../../../../src/domain/ids.ts";
import { compileGovernancePolicy } from "../../../../src/governance/policy.ts";
import { botWith } from "../../../support/bots.ts";

const bot = botWith({
  name: "$& & Sons",
  intents: [
    { name: "orders.delivery_status" },
    { name: "orders.cancel" },
    { name: "hours", label: "opening hours" },
  ],
});

const labelOf = (name: string) => (name === "hours" ? "opening hours" : name.replaceAll(/[._]/g, " "));

const restricted = (reason: RestrictionReason, suggestions: string[] = []): Restriction => ({
  kind: "restricted",
  reason,
  rule: "no-match",
  suggestions: suggestions.map((name) => ({ intent: name as IntentName, label: labelOf(name) })),
});

const said = (restriction: Restriction, refusals = {}) =>
  refusalText(
    restriction,
    compileGovernancePolicy(
      { ...bot, capabilityProfile: { refusals } },
      { intents: [], matchThreshold: 0.5 },
    ),
  );

describe("a refusal", () => {
  test("is the profile's own text, with the bot's name put in literally", () => {
    expect(said(restricted("DENY_LIST"), { DENY_LIST: "{botName} can't. {botName} won't." })).toBe(
      "$& & Sons can't. $& & Sons won't.",
    );
  });

  test("has a friendly default for every reason", () => {
    const texts = (["DENY_LIST", "NOT_IN_ALLOW_LIST", "no_intent_match"] as const).map((reason) =>
      said(restricted(reason)),
    );
    expect(new Set(texts).size).toBe(3);
    for (const text of texts) expect(text).not.toContain("{botName}");
  });
});

describe("a question back", () => {
  test("lists what may be meant", () => {
    expect(said(restricted("no_intent_match", ["orders.delivery_status", "hours"]))).toBe(
      "Did you mean: orders delivery status or opening hours?",
    );
  });

  test("may be about one intent only", () => {
    expect(said(restricted("no_intent_match", ["hours"]))).toBe("Did you mean: opening hours?");
  });
});
