import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import type { CapabilityProfile } from "../../../../src/domain/bot.ts";
import { patternMatches } from "../../../../src/domain/intent-pattern.ts";
import { compileCapabilityProfile } from "../../../../src/governance/profile/capability-profile.ts";
import { anyIntent, anyPattern, anyProfile } from "../../../support/capability-profiles.ts";

const standing = (profile: CapabilityProfile | undefined, intent: string) =>
  compileCapabilityProfile(profile).standingOf(intent);

describe("patterns", () => {
  test.each([
    ["orders.status", "orders.status", true],
    ["orders.status", "orders.status.old", false],
    ["orders.status", "orders.statusx", false],
    ["orders.*", "orders.status", true],
    ["orders.*", "orders.status.old", true],
    ["orders.*", "orders", false],
    ["orders.*", "ordersx.status", false],
    ["orders.status.*", "orders.status", false],
    ["*", "orders", true],
    ["*", "orders.status.old", true],
  ])("%s on %s: %p", (pattern, intent, expected) => {
    expect(patternMatches(pattern, intent)).toBe(expected);
  });
});

describe("a compiled profile", () => {
  test("denies an intent that is on both lists", () => {
    expect(standing({ allow: ["orders.status"], deny: ["orders.status"] }, "orders.status")).toBe("denied");
  });

  test("allows everything that is not denied when there is no allow list", () => {
    expect(standing({ deny: ["refunds"] }, "orders")).toBe("allowed");
    expect(standing(undefined, "orders")).toBe("allowed");
  });

  test("allows nothing with an empty allow list", () => {
    expect(standing({ allow: [] }, "orders")).toBe("unlisted");
  });

  test("denies by wildcard what is allowed by name", () => {
    expect(standing({ allow: ["medical.hours"], deny: ["medical.*"] }, "medical.hours")).toBe("denied");
    expect(standing({ allow: ["orders"], deny: ["*"] }, "orders")).toBe("denied");
  });

  test("finds intents named like properties of objects in no list", () => {
    expect(standing({ allow: ["orders"] }, "constructor")).toBe("unlisted");
  });
});

describe("for any profile", () => {
  test("an intent that a deny pattern matches is denied", () => {
    fc.assert(
      fc.property(anyProfile, anyIntent, (profile, intent) => {
        const denied = (profile.deny ?? []).some((pattern) => patternMatches(pattern, intent));
        expect(standing(profile, intent) === "denied").toBe(denied);
      }),
    );
  });

  test("an intent is allowed exactly when it is not denied and the allow list is absent or names it", () => {
    fc.assert(
      fc.property(anyProfile, anyIntent, (profile, intent) => {
        const named = profile.allow?.some((pattern) => patternMatches(pattern, intent)) ?? true;
        const denied = profile.deny?.some((pattern) => patternMatches(pattern, intent)) ?? false;
        expect(standing(profile, intent) === "allowed").toBe(named && !denied);
      }),
    );
  });

  test("one more deny pattern never allows more", () => {
    fc.assert(
      fc.property(anyProfile, anyPattern, anyIntent, (profile, pattern, intent) => {
        const stricter = { ...profile, deny: [...(profile.deny ?? []), pattern] };
        if (standing(profile, intent) !== "allowed") expect(standing(stricter, intent)).not.toBe("allowed");
      }),
    );
  });

  test("one more allow pattern never denies more", () => {
    fc.assert(
      fc.property(anyProfile, anyPattern, anyIntent, (profile, pattern, intent) => {
        const wider = { ...profile, allow: [...(profile.allow ?? []), pattern] };
        expect(standing(wider, intent) === "denied").toBe(standing(profile, intent) === "denied");
      }),
    );
  });

  test("the order of patterns does not matter", () => {
    fc.assert(
      fc.property(anyProfile, anyIntent, (profile, intent) => {
        const turned: CapabilityProfile = { deny: (profile.deny ?? []).toReversed() };
        if (profile.allow !== undefined) turned.allow = profile.allow.toReversed();
        expect(standing(turned, intent)).toBe(standing(profile, intent));
      }),
    );
  });
});
