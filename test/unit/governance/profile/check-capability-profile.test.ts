import { expect, test } from "bun:test";

import type { BotDocument, CapabilityProfile } from "../../../../src/domain/bot.ts";
import { checkCapabilityProfile } from "../../../../src/governance/profile/capability-profile.ts";
import { type WrittenFields, botWith } from "../../../support/bots.ts";

const shop = (capabilityProfile: CapabilityProfile, extra: WrittenFields = {}): BotDocument =>
  botWith({
    intents: ["orders", "orders.status", "orders.cancel", "refunds"].map((name) => ({ name })),
    capabilityProfile,
    ...extra,
  });

test("finds nothing to say about a profile whose every entry does something", () => {
  expect(checkCapabilityProfile(shop({ allow: ["orders", "orders.*"], deny: ["refunds"] }))).toEqual([]);
});

test("finds nothing to say about a bot without a profile", () => {
  expect(checkCapabilityProfile(botWith())).toEqual([]);
});

test.each<[CapabilityProfile, string, string]>([
  [
    { allow: ["orders.statsu"] },
    "/capabilityProfile/allow/0",
    "matches no intent of this bot; did you mean `orders.status`?",
  ],
  [{ deny: ["refunds", "order.*"] }, "/capabilityProfile/deny/1", "did you mean `orders.*`?"],
  [{ deny: ["refunds.*"] }, "/capabilityProfile/deny/0", "did you mean `refunds`?"],
  [{ deny: ["weather"] }, "/capabilityProfile/deny/0", "`weather` matches no intent of this bot"],
  [{ deny: ["social.greetings"] }, "/capabilityProfile/deny/0", "`social.greetings` matches no intent"],
])("takes %j for a fault", (profile, pointer, message) => {
  const problems = checkCapabilityProfile(shop(profile));
  expect(problems).toEqual([
    { pointer, message: expect.stringContaining(message), severity: "warning", isFault: true },
  ]);
});

test("knows the social turns that every bot has", () => {
  expect(checkCapabilityProfile(shop({ deny: ["social.*", "social.greeting"] }))).toEqual([]);
});

test.each<[CapabilityProfile, string, string]>([
  [{ deny: ["orders.*"] }, "/capabilityProfile/deny/0", "does not cover the intent `orders`"],
  [{ allow: ["refunds", "refunds"] }, "/capabilityProfile/allow/1", "stands in this list twice"],
  [
    { allow: ["orders.status"], deny: ["orders", "orders.*"] },
    "/capabilityProfile/allow/0",
    "allows nothing: deny wins",
  ],
])("warns about %j", (profile, pointer, message) => {
  const problems = checkCapabilityProfile(shop(profile));
  expect(problems).toEqual([{ pointer, message: expect.stringContaining(message), severity: "warning" }]);
});

test("warns about a default intent that is denied", () => {
  const problems = checkCapabilityProfile(shop({ deny: ["refunds"] }, { defaultIntent: "refunds" }));
  expect(problems).toEqual([
    {
      pointer: "/defaultIntent",
      message: expect.stringContaining("every message that matches nothing is denied"),
      severity: "warning",
    },
  ]);
});
