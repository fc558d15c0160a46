import { expect, test } from "bun:test";

import { checkSilentIntents } from "../../../../src/governance/profile/capability-profile.ts";
import { botWith } from "../../../support/bots.ts";

test("warns of an allowed intent without answers, and of no other", () => {
  const bot = botWith({
    intents: [
      { name: "denied" },
      { name: "silent" },
      { name: "said", responses: ["x"] },
      { name: "unlisted" },
    ],
    capabilityProfile: { allow: ["denied", "silent", "said"], deny: ["denied"] },
  });
  expect(checkSilentIntents(bot)).toEqual([
    {
      pointer: "/intents/1",
      message: "the intent `silent` is allowed but has no `responses` to answer with",
      severity: "warning",
    },
  ]);
});

test("warns of every intent without answers in observe mode, which answers denied ones, too", () => {
  const bot = botWith({
    intents: [{ name: "denied" }, { name: "silent" }, { name: "said", responses: ["x"] }],
    capabilityProfile: { allow: ["silent", "said"], deny: ["denied"], mode: "observe" },
  });
  expect(checkSilentIntents(bot).map(({ message }) => message)).toEqual([
    "the intent `denied` is allowed in observe mode but has no `responses` to answer with",
    "the intent `silent` is allowed but has no `responses` to answer with",
  ]);
});
