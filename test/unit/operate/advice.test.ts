import { describe, expect, test } from "bun:test";

import type { Decision, DecisionRule, IntentScore, RestrictionReason } from "../../../src/domain/decision.ts";
import type { IntentName } from "../../../src/domain/ids.ts";
import {
  compileCapabilityProfile,
  OPEN_PROFILE,
} from "../../../src/governance/profile/capability-profile.ts";
import { adviseOn, type DecidedOn } from "../../../src/operate/advice.ts";
import { suggestionsOf } from "../../support/turns.ts";

const name = (intent: string) => intent as IntentName;

function receiptWith(inScope: number, scores: Record<string, number>) {
  const listed: IntentScore[] = Object.entries(scores).map(([intent, confidence]) => ({
    intent: name(intent),
    confidence,
  }));
  return {
    thresholds: { match: 0.5, deny: 0.4 },
    readings: [{ reading: "plain" as const, scores: listed, inScope, denied: 0 }],
  };
}

function answered(intent: string, rule: DecisionRule = "best-intent"): Decision {
  return { kind: "allowed", intent: name(intent), rule };
}

function restricted(
  reason: RestrictionReason,
  { intent, suggestions = [] }: { intent?: string; suggestions?: string[] } = {},
): Decision {
  return {
    kind: "restricted",
    reason,
    rule: "no-match",
    suggestions: suggestionsOf(...suggestions),
    ...(intent !== undefined && { intent: name(intent) }),
  };
}

const advise = (decided: DecidedOn, nearest: Parameters<typeof adviseOn>[1]) =>
  adviseOn(decided, nearest, OPEN_PROFILE);

const SURE = receiptWith(0.95, { a: 0.9, b: 0.01 });
const UNSURE = receiptWith(0.2, { a: 0.15, b: 0.02 });
const LOST = receiptWith(0.02, { a: 0.01 });

describe("advice on an answer", () => {
  test("that was sure is to leave it, if it is right", () => {
    expect(advise({ decision: answered("a"), receipt: SURE }, undefined)).toEqual({
      addExampleTo: null,
      text: "If the answer is right, nothing. If not, add this message to the examples of the intent it belongs to.",
    });
  });

  test("that was narrow is to add a line", () => {
    const receipt = receiptWith(0.55, { a: 0.5, b: 0.01 });
    expect(advise({ decision: answered("a"), receipt }, undefined)).toMatchObject({
      addExampleTo: "a",
      text: expect.stringContaining("nearly not understood"),
    });
  });

  test("that another intent nearly got names the other", () => {
    const receipt = receiptWith(0.95, { a: 0.5, b: 0.4 });
    expect(advise({ decision: answered("a"), receipt }, undefined).text).toStartWith(
      "b was nearly taken instead.",
    );
  });

  test("of the default intent proposes the intent that is close, if any is", () => {
    const decision = answered("rest", "default-intent");
    expect(advise({ decision, receipt: UNSURE }, undefined)).toMatchObject({ addExampleTo: "a" });
    expect(advise({ decision, receipt: LOST }, undefined)).toMatchObject({ addExampleTo: null });
  });

  test("to a follow-up proposes nothing", () => {
    const decision = answered("b", "follow-up");
    expect(advise({ decision, receipt: LOST }, undefined)).toMatchObject({ addExampleTo: null });
  });
});

describe("advice on a refusal", () => {
  test("of what nothing matched proposes what was asked about, else what is close, else the nearest example's intent", () => {
    const asked = restricted("no_intent_match", { suggestions: ["c", "a"] });
    const silent = restricted("no_intent_match");
    const nearest = { intent: "d", text: "much the same", likeness: 0.6 };
    const intentFor = (decision: Decision, receipt: typeof SURE, example = nearest) =>
      advise({ decision, receipt }, example).addExampleTo;
    expect(intentFor(asked, UNSURE)).toBe("c");
    expect(intentFor(silent, UNSURE)).toBe("a");
    expect(intentFor(silent, LOST)).toBe("d");
    expect(intentFor(silent, LOST, { ...nearest, likeness: 0.1 })).toBeNull();
  });

  test("by the deny list names another intent only where one is close", () => {
    const decision = restricted("DENY_LIST", { intent: "a" });
    expect(advise({ decision, receipt: SURE }, undefined).addExampleTo).toBeNull();
    const torn = receiptWith(0.9, { a: 0.5, b: 0.3 });
    expect(advise({ decision, receipt: torn }, undefined)).toEqual({
      addExampleTo: "b",
      text: "If it asks for a, nothing. If not, add this message to the examples of the intent it belongs to, perhaps b.",
    });
  });

  test("for want of an entry in the allow list names the list", () => {
    const decision = restricted("NOT_IN_ALLOW_LIST", { intent: "a" });
    expect(advise({ decision, receipt: SURE }, undefined).text).toStartWith(
      "To have it answered, add a to `allow`.",
    );
  });
});

describe("advice about a denied intent", () => {
  const profile = compileCapabilityProfile({ deny: ["a"] });

  test("never is to add an example to it, whichever way a message came near it", () => {
    const nearest = { intent: "a", text: "much the same", likeness: 0.9 };
    const observed = receiptWith(0.55, { a: 0.5, b: 0.4 });
    for (const decided of [
      { decision: restricted("no_intent_match"), receipt: UNSURE },
      { decision: restricted("no_intent_match"), receipt: LOST },
      { decision: restricted("DENY_LIST", { intent: "a" }), receipt: SURE },
      { decision: restricted("DENY_LIST", { intent: "c" }), receipt: SURE },
      { decision: answered("rest", "default-intent"), receipt: UNSURE },
      { decision: answered("a"), receipt: receiptWith(0.55, { a: 0.5 }) },
    ])
      expect(adviseOn(decided, nearest, profile).addExampleTo).toBeNull();
    expect(adviseOn({ decision: answered("a"), receipt: observed }, nearest, profile).addExampleTo).toBe("b");
  });

  test("says that the intent is denied, and what to do if the bot should answer", () => {
    const decided = { decision: restricted("no_intent_match"), receipt: UNSURE };
    expect(adviseOn(decided, undefined, profile).text).toBe(
      "It was not understood. It is closest to a, which is denied. If it asks for a, do nothing. If the bot should answer it, add this message to the examples of the intent it belongs to.",
    );
  });
});
