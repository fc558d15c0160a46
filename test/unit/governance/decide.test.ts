import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import type { BotDocument, CapabilityProfile } from "../../../src/domain/bot.ts";
import type { Classification, Classifier, Decision } from "../../../src/domain/decision.ts";
import type { IntentName } from "../../../src/domain/ids.ts";
import { patternMatches } from "../../../src/domain/intent-pattern.ts";
import type { WeighedCandidate, WeighedCandidates } from "../../../src/governance/candidates.ts";
import { decide } from "../../../src/governance/decide.ts";
import type { PreviousTurn } from "../../../src/governance/follow-up/follow-up.ts";
import {
  judgeMessage,
  reconsider,
  withReadingByModel,
  withReadingInContext,
} from "../../../src/governance/judge-message.ts";
import type { JudgedMessage } from "../../../src/governance/judged-message.ts";
import { compileGovernancePolicy } from "../../../src/governance/policy.ts";
import { type WrittenFields, botWith } from "../../support/bots.ts";
import { anyIntent, anyPattern, anyProfile } from "../../support/capability-profiles.ts";
import { suggestionsOf } from "../../support/turns.ts";
import { wordClassifier } from "../../support/word-classifier.ts";

type Scores = Record<string, number>;

/** Says the same about every text: these are the confidences of "any". */
const classifierOf = (scores: Scores): Classifier => wordClassifier({ any: scores });

const governed = (capabilityProfile: CapabilityProfile, extra: WrittenFields = {}): BotDocument =>
  botWith({ capabilityProfile, classifier: { threshold: 0.5, denyThreshold: 0.2 }, ...extra });

function decisionBy(
  classifier: Classifier,
  text: string,
  bot: BotDocument,
  previous?: PreviousTurn,
): Decision {
  const policy = compileGovernancePolicy(bot, classifier);
  return decide({ judged: judgeMessage(text, classifier, policy), policy, ...(previous && { previous }) });
}

const decisionOn = (scores: Scores, bot: BotDocument): Decision =>
  decisionBy(classifierOf(scores), "any", bot);

const matches = (patterns: readonly string[] | undefined, intent: string) =>
  (patterns ?? []).some((pattern) => patternMatches(pattern, intent));

describe("a message with one plausible intent", () => {
  test("is allowed when the profile allows it", () => {
    expect(decisionOn({ orders: 0.9 }, governed({ allow: ["orders"] }))).toEqual({
      kind: "allowed",
      intent: "orders" as IntentName,
      rule: "best-intent",
    });
  });

  test("is denied when the intent is denied", () => {
    expect(decisionOn({ orders: 0.9 }, governed({ deny: ["orders"] }))).toMatchObject({
      kind: "restricted",
      reason: "DENY_LIST",
      intent: "orders",
    });
  });

  test("is not in the allow list when neither list names it", () => {
    expect(decisionOn({ orders: 0.9 }, governed({ allow: ["refunds"] }))).toMatchObject({
      reason: "NOT_IN_ALLOW_LIST",
      intent: "orders",
      rule: "best-intent",
    });
  });
});

describe("a message in scope whose best intent is improbable", () => {
  const decisionAt = (inScope: number, confidence: number) => {
    const classifier = classifierOf({ orders: confidence, refunds: confidence / 2 });
    const unsure = { ...classifier, classify: (text: string) => ({ ...classifier.classify(text), inScope }) };
    return decisionBy(unsure, "any", governed({}));
  };

  test("is asked back", () => {
    expect(decisionAt(0.9, 0.2)).toMatchObject({
      reason: "no_intent_match",
      rule: "no-match",
      suggestions: suggestionsOf("orders", "refunds"),
    });
  });

  test("is answered where that intent is nearly as probable as the threshold asks", () => {
    expect(decisionAt(0.9, 0.45)).toMatchObject({ kind: "allowed", intent: "orders" });
  });
});

describe("denial errs on the safe side", () => {
  test("denies when a denied intent is plausible beside a better allowed one", () => {
    expect(decisionOn({ orders: 0.7, refunds: 0.3 }, governed({ deny: ["refunds"] }))).toMatchObject({
      reason: "DENY_LIST",
      intent: "refunds",
      rule: "denied-in-message",
    });
  });

  test("adds up what several denied intents share", () => {
    const scores = { orders: 0.6, "refunds.a": 0.16, "refunds.b": 0.14 };
    expect(decisionOn(scores, governed({ deny: ["refunds.*"] }))).toMatchObject({ intent: "refunds.a" });
  });

  test("allows when no denied intent is plausible", () => {
    expect(decisionOn({ orders: 0.7, refunds: 0.05 }, governed({ deny: ["refunds"] })).kind).toBe("allowed");
  });
});

describe("a message that matches nothing", () => {
  test("has no intent, and asks which of the close allowed ones was meant", () => {
    const scores = { orders: 0.2, hours: 0.12, gifts: 0.1, jokes: 0.05 };
    expect(decisionOn(scores, governed({}))).toEqual({
      kind: "restricted",
      reason: "no_intent_match",
      rule: "no-match",
      suggestions: suggestionsOf("orders", "hours", "gifts"),
    });
  });

  test("never suggests what the profile restricts", () => {
    const decision = decisionOn(
      { orders: 0.2, refunds: 0.05, hours: 0.2 },
      governed({ allow: ["hours"], deny: ["refunds"] }),
    );
    expect(decision).toMatchObject({ reason: "no_intent_match", suggestions: suggestionsOf("hours") });
  });

  test("gets the default intent, by its own place in the profile", () => {
    const extra = { defaultIntent: "smalltalk" };
    expect(decisionOn({}, governed({}, extra))).toMatchObject({ kind: "allowed", rule: "default-intent" });
    expect(decisionOn({}, governed({ allow: [] }, extra))).toMatchObject({ reason: "NOT_IN_ALLOW_LIST" });
    expect(decisionOn({}, governed({ deny: ["*"] }, extra))).toMatchObject({ reason: "DENY_LIST" });
  });
});

describe("a message of several parts", () => {
  const shop = wordClassifier({
    track: { orders: 0.9 },
    order: { orders: 0.9 },
    my: { orders: 0.3, account: 0.3 },
    delete: { account: 0.9 },
    account: { account: 0.9 },
    hours: { hours: 0.9 },
  });
  const bot = governed({ allow: ["orders", "hours"], deny: ["account"] }, { classifier: {} });

  test.each([
    "track my order and delete my account",
    "track my order zzz delete my account",
    "delete my account, track my order",
    "track my order. d3l3t3 my acc0unt",
    "track my order, ZGVsZXRlIG15IGFjY291bnQ=",
    "track my order\u200b \u0501\u0435\u04cf\u0435te my account",
  ])("is denied when one of them asks for something denied: %s", (text) => {
    expect(decisionBy(shop, text, bot)).toMatchObject({ reason: "DENY_LIST", intent: "account" });
  });

  test("is answered when all of them are allowed", () => {
    expect(decisionBy(shop, "track my order and hours", bot).kind).toBe("allowed");
  });

  test("is answered by the part that matches, when the rest says nothing", () => {
    const loose = wordClassifier({
      rules: { other: 0.1 },
      forget: { other: 0.1 },
      track: { orders: 0.9 },
      order: { orders: 0.9 },
    });
    expect(decisionBy(loose, "forget forget forget rules, track the order", governed({}))).toMatchObject({
      kind: "allowed",
      intent: "orders",
      rule: "clearest-clause",
    });
  });
});

describe("a message that was judged by what it means, too", () => {
  const scores = { orders: 0.7, refunds: 0.25 };
  const bot = governed({ deny: ["refunds"] }, { classifier: { threshold: 0.5, denyThreshold: 0.4 } });
  const classifier = classifierOf(scores);
  const policy = compileGovernancePolicy(bot, classifier);
  const judged = judgeMessage("any", classifier, policy);
  const meaning = (meant: Scores) => classifierOf({ orders: 0, refunds: 0, ...meant }).classify("any");

  test("stays unclear where its words alone make it so, whatever it means", () => {
    expect(decide({ judged, policy })).toMatchObject({ rule: "unclear" });
    const acquitted = reconsider(judged, meaning({ orders: 0.9 }), policy);
    expect(decide({ judged: acquitted, policy })).toMatchObject({ rule: "unclear" });
  });

  test("is answered by a half that matches, where the whole means too little", () => {
    const open = compileGovernancePolicy(governed({}), classifier);
    const whole = reconsider(judgeMessage("any", classifier, open), meaning({ orders: 0.3 }), open);
    const half = (classification: Classification) => ({ text: "any", classification, hasSubject: true });
    const parts: JudgedMessage["parts"] = {
      parts: [half(meaning({ orders: 0.9 })), half(meaning({}))],
      isJoined: false,
    };
    expect(decide({ judged: whole, policy: open })).toMatchObject({ rule: "no-match" });
    const halved = { ...whole, parts };
    expect(decide({ judged: halved, policy: open })).toMatchObject({
      rule: "clearest-clause",
      intent: "orders",
    });
    expect(decide({ judged: { ...halved, asksForPerson: true }, policy: open })).not.toMatchObject({
      intent: "orders",
    });
  });
});

test("a message that may ask for something denied is neither answered nor denied", () => {
  const bot = governed({ deny: ["refunds"] }, { classifier: { threshold: 0.5, denyThreshold: 0.3 } });
  expect(decisionOn({ orders: 0.7, refunds: 0.25 }, bot)).toEqual({
    kind: "restricted",
    reason: "no_intent_match",
    rule: "unclear",
    suggestions: suggestionsOf("orders"),
  });
});

test("documents answer what may ask for something denied only where they are surer of it", () => {
  const bot = governed({ deny: ["refunds"] }, { classifier: { threshold: 0.5, denyThreshold: 0.4 } });
  const classifier = classifierOf({ refunds: 0.1 });
  const policy = compileGovernancePolicy(bot, classifier);
  const judged = judgeMessage("any", classifier, policy);
  const answeredWith = (chance: number) =>
    decide({ judged, policy, weighed: [weighedAs({ passage: chance })] });
  expect(answeredWith(0.75)).toMatchObject({ kind: "restricted", rule: "unclear" });
  expect(answeredWith(0.98)).toMatchObject({ kind: "allowed", rule: "knowledge" });
});

/** Candidates with these chances: intents by their names, and one passage. */
function weighedAs(chances: Record<string, number>, usesMeaning = false): WeighedCandidates {
  const candidates = Object.entries(chances).map(([name, chance]): WeighedCandidate => ({
    target:
      name === "passage"
        ? { kind: "passage", passage: 7, document: "d1", heading: "Prices" }
        : { kind: "intent", intent: name as IntentName },
    chance,
    reading: "plain",
    speaking: { meaning: 0, words: 0, classifier: 0, context: 0 },
  }));
  candidates.sort((left, right) => right.chance - left.chance);
  return { candidates, nothing: 1 - candidates.reduce((sum, { chance }) => sum + chance, 0), usesMeaning };
}

describe("where intents and passages compete", () => {
  const bot = governed(
    { deny: ["refunds"] },
    { classifier: { denyThreshold: 0.4 }, intents: [{ name: "orders", responses: ["On its way."] }] },
  );
  const decideAs = (
    suspected: number,
    chances: Record<string, number>,
    { usesMeaning = true, own = bot, parts = [] as Record<string, number>[] } = {},
  ) => {
    const classifier = classifierOf({ refunds: suspected });
    const policy = compileGovernancePolicy(own, classifier);
    const weighed = [chances, ...parts].map((some) => weighedAs(some, usesMeaning));
    return decide({ judged: judgeMessage("any", classifier, policy), policy, weighed });
  };

  test("the likeliest answers, where it is likely", () => {
    expect(decideAs(0, { orders: 0.05, passage: 0.8 })).toMatchObject({ intent: "knowledge", passages: [7] });
    expect(decideAs(0, { orders: 0.8, passage: 0.05 })).toMatchObject({ intent: "orders" });
    expect(decideAs(0, { orders: 0.3, passage: 0.1 })).toMatchObject({ reason: "no_intent_match" });
  });

  test("two answer, an intent first, where one of them surely does", () => {
    expect(decideAs(0, { orders: 0.4, passage: 0.45 })).toMatchObject({
      intent: "orders",
      alsoIntents: ["knowledge"],
      passages: [7],
    });
  });

  test("two parts that are clear are two questions", () => {
    const parts = [{ orders: 0.7 }, { passage: 0.6 }];
    expect(decideAs(0, { orders: 0.5, passage: 0.1 }, { parts })).toMatchObject({
      rule: "two-questions",
      intent: "orders",
      alsoIntents: ["knowledge"],
    });
  });

  test("a bot's own threshold is the least chance of an answer", () => {
    const strict = governed({}, { classifier: { threshold: 0.9 } });
    expect(decideAs(0, { passage: 0.85 }, { own: strict })).toMatchObject({ reason: "no_intent_match" });
    expect(decideAs(0, { passage: 0.95 }, { own: strict })).toMatchObject({ intent: "knowledge" });
  });

  test("what is suspected is denied, whatever competes, by words alone", () => {
    expect(decideAs(0.4, { passage: 0.9 }, { usesMeaning: false })).toMatchObject({ reason: "DENY_LIST" });
  });

  test("what it means acquits a message that surely asks for something allowed", () => {
    expect(decideAs(0.4, { passage: 0.9, refunds: 0.02 })).toMatchObject({ intent: "knowledge" });
  });

  test("and not one in which a denied intent competes, in the whole or in a part", () => {
    const denied = { reason: "DENY_LIST", intent: "refunds" };
    expect(decideAs(0.4, { passage: 0.8, refunds: 0.15 })).toMatchObject(denied);
    const parts = [{ passage: 0.9 }, { refunds: 0.5 }];
    expect(decideAs(0.4, { passage: 0.9 }, { parts })).toMatchObject(denied);
  });

  test("and not one that is all but certain to be denied", () => {
    expect(decideAs(1, { passage: 0.95 })).toMatchObject({ reason: "DENY_LIST" });
  });

  test("what the profile does not allow is refused where it competes best", () => {
    const narrow = governed({ allow: ["orders"] });
    expect(decideAs(0, { passage: 0.9 }, { own: narrow })).toMatchObject({ reason: "NOT_IN_ALLOW_LIST" });
  });

  test("documents that the profile keeps from answering keep no intent from it", () => {
    const narrow = governed({ allow: ["orders"] });
    expect(decideAs(0, { orders: 0.15, passage: 0.82 }, { own: narrow })).toMatchObject({ intent: "orders" });
  });

  test("what is answered behind another message names nothing new, or is all but certain", () => {
    const classifier = classifierOf({});
    const policy = compileGovernancePolicy(bot, classifier);
    const decideBehind = (chance: number, bringsWord?: true) => {
      const { candidates, ...weighed } = weighedAs({ passage: chance }, true);
      const behind = candidates.map((one): WeighedCandidate => ({ ...one, reading: "in-context" }));
      const judged = judgeMessage("and morphine?", classifier, policy);
      const all = { ...weighed, candidates: behind, ...(bringsWord && { bringsWord }) };
      return decide({ judged, policy, weighed: [all] });
    };
    expect(decideBehind(0.8)).toMatchObject({ intent: "knowledge" });
    expect(decideBehind(0.8, true)).toMatchObject({ reason: "no_intent_match" });
    expect(decideBehind(0.9, true)).toMatchObject({ intent: "knowledge" });
  });
});

test("a deny threshold of 0 changes nothing for a bot that denies nothing", () => {
  const bot = governed({}, { classifier: { threshold: 0.5, denyThreshold: 0 } });
  expect(decisionOn({ orders: 0.7 }, bot).kind).toBe("allowed");
});

describe("observe mode", () => {
  test("answers a denied intent, and records the denial", () => {
    const decision = decisionOn({ orders: 0.9 }, governed({ deny: ["orders"], mode: "observe" }));
    expect(decision).toMatchObject({
      kind: "allowed",
      intent: "orders",
      wouldRestrict: { kind: "restricted", reason: "DENY_LIST", intent: "orders" },
    });
  });

  test("still finds no intent where none matches", () => {
    expect(decisionOn({ orders: 0.1 }, governed({ mode: "observe" }))).toMatchObject({
      reason: "no_intent_match",
    });
  });
});

describe("for any scores and profile", () => {
  const anyScores = fc.dictionary(anyIntent, fc.double({ min: 0, max: 1, noNaN: true }), { maxKeys: 5 });

  test("an allowed intent is never denied, and is in the allow list if there is one", () => {
    fc.assert(
      fc.property(anyScores, anyProfile, (scores, profile) => {
        const decision = decisionOn(scores, governed(profile));
        if (decision.kind === "restricted") return;
        expect(matches(profile.deny, decision.intent)).toBe(false);
        if (profile.allow !== undefined) expect(matches(profile.allow, decision.intent)).toBe(true);
      }),
    );
  });

  test("a reason agrees with the intent's place in the profile", () => {
    fc.assert(
      fc.property(anyScores, anyProfile, (scores, profile) => {
        const decision = decisionOn(scores, governed(profile));
        if (decision.kind === "allowed") return;
        expect(decision.intent === undefined).toBe(decision.reason === "no_intent_match");
        if (decision.intent === undefined) return;
        expect(matches(profile.deny, decision.intent)).toBe(decision.reason === "DENY_LIST");
      }),
    );
  });

  test("an empty allow list allows nothing", () => {
    fc.assert(
      fc.property(anyScores, anyProfile, (scores, profile) => {
        expect(decisionOn(scores, governed({ ...profile, allow: [] })).kind).toBe("restricted");
      }),
    );
  });

  test("one more deny pattern never allows a message that was restricted", () => {
    fc.assert(
      fc.property(anyScores, anyProfile, anyPattern, (scores, profile, pattern) => {
        const stricter = { ...profile, deny: [...(profile.deny ?? []), pattern] };
        if (decisionOn(scores, governed(profile)).kind === "allowed") return;
        expect(decisionOn(scores, governed(stricter)).kind).toBe("restricted");
      }),
    );
  });

  test("one more deny pattern never allows a message of many words that was restricted", () => {
    const anyWord = fc.constantFrom(
      "alpha",
      "beta",
      "gamma",
      "delta",
      "zzz",
      ",",
      "and",
      "b3ta",
      "g a m m a",
    );
    const anyText = fc.array(anyWord, { maxLength: 12 }).map((some) => some.join(" "));
    const anyWords = fc.record({ alpha: anyScores, beta: anyScores, gamma: anyScores, delta: anyScores });
    fc.assert(
      fc.property(anyWords, anyText, anyProfile, anyPattern, (words, text, profile, pattern) => {
        const classifier = wordClassifier(words);
        const stricter = { ...profile, deny: [...(profile.deny ?? []), pattern] };
        if (decisionBy(classifier, text, governed(profile)).kind === "allowed") return;
        expect(decisionBy(classifier, text, governed(stricter)).kind).toBe("restricted");
      }),
      { numRuns: 300 },
    );
  });

  test("observe mode records exactly what enforcement does", () => {
    fc.assert(
      fc.property(anyScores, anyProfile, (scores, profile) => {
        const enforced = decisionOn(scores, governed(profile));
        const observed = decisionOn(scores, governed({ ...profile, mode: "observe" }));
        const expected = enforced.kind === "restricted" && observed.kind === "allowed" ? enforced : undefined;
        expect(observed.kind === "allowed" ? observed.wouldRestrict : undefined).toEqual(expected);
      }),
    );
  });
});

describe("a message that is read behind what was said before", () => {
  /** Alone, and behind what was said before. */
  function decisionOfBoth(
    alone: Scores,
    inContext: Scores,
    leans: number,
    profile: CapabilityProfile = {},
    { bringsWord = false, previous }: { bringsWord?: boolean; previous?: PreviousTurn } = {},
  ) {
    const classifier = wordClassifier({ alone, context: inContext });
    const bot = governed(profile);
    const policy = compileGovernancePolicy(bot, classifier);
    const reading = {
      classification: classifier.classify("context"),
      leans,
      bringsWord,
      meaning: { vector: new Float32Array() },
    };
    const judged = withReadingInContext(judgeMessage("alone", classifier, policy), reading, policy);
    return decide({ judged, policy, ...(previous && { previous }) });
  }
  const [TYRES, HOURS] = [
    { tyres: 0.9, hours: 0 },
    { tyres: 0, hours: 0.9 },
  ];
  const NOTHING = { tyres: 0, hours: 0 };

  test("is answered as it reads there, where it says nothing alone, however little it leans", () => {
    for (const leans of [0.3, 0.9])
      expect(decisionOfBoth(NOTHING, TYRES, leans)).toMatchObject({ intent: "tyres", rule: "follow-up" });
  });

  test("is answered as it reads alone, where it does not lean", () => {
    expect(decisionOfBoth({ tyres: 0.6, hours: 0 }, HOURS, 0.4)).toMatchObject({
      intent: "tyres",
      rule: "best-intent",
    });
  });

  test("is answered as what is surer, where it leans", () => {
    expect(decisionOfBoth({ tyres: 0.6, hours: 0 }, HOURS, 0.9)).toMatchObject({
      intent: "hours",
      rule: "follow-up",
    });
    expect(decisionOfBoth(TYRES, { tyres: 0, hours: 0.6 }, 0.9)).toMatchObject({
      intent: "tyres",
      rule: "best-intent",
    });
  });

  test("is denied where either asks for what is denied", () => {
    const deny = { deny: ["hours"] };
    expect(decisionOfBoth(TYRES, HOURS, 0.3, deny)).toMatchObject({ reason: "DENY_LIST", intent: "hours" });
    expect(decisionOfBoth(HOURS, TYRES, 0.9, deny)).toMatchObject({ reason: "DENY_LIST", intent: "hours" });
  });

  test("is asked about where it brings a word that no example has, and would get the same answer once more", () => {
    const previous = {
      intent: "tyres" as IntentName,
      offered: [],
      asks: false,
      wasAllowed: true,
      ageMs: 1000,
    };
    const likely = { tyres: 0.7, hours: 0 };
    expect(decisionOfBoth(NOTHING, likely, 0.9, {}, { bringsWord: true, previous })).toMatchObject({
      kind: "restricted",
      rule: "follow-up",
      suggestions: [{ intent: "tyres" }],
    });
    expect(decisionOfBoth(NOTHING, likely, 0.9, {}, { previous })).toMatchObject({ intent: "tyres" });
    expect(decisionOfBoth(NOTHING, TYRES, 0.9, {}, { bringsWord: true, previous })).toMatchObject({
      intent: "tyres",
    });
  });

  test("is unclear by a suspicion there, where it leans alone", () => {
    const suspected = { tyres: 0.6, hours: 0.12 };
    expect(decisionOfBoth(TYRES, suspected, 0.9, { deny: ["hours"] })).toMatchObject({ rule: "unclear" });
    expect(decisionOfBoth(TYRES, suspected, 0.3, { deny: ["hours"] })).toMatchObject({ intent: "tyres" });
  });
});

describe("a message that a model put as a question", () => {
  const classifier = wordClassifier({
    clear: { orders: 0.9 },
    faint: { orders: 0.4, refunds: 0.15 },
    suspicious: { orders: 0.8, refunds: 0.15 },
    denied: { refunds: 0.9 },
  });
  const policy = compileGovernancePolicy(governed({ deny: ["refunds"] }), classifier);
  const judge = (text: string) => judgeMessage(text, classifier, policy);
  const decisionOnBoth = (typed: string, question: string) =>
    decide({ judged: withReadingByModel(judge(typed), { question: judge(question) }), policy });

  test("is decided by the question", () => {
    expect(decisionOnBoth("other", "clear")).toMatchObject({ kind: "allowed", intent: "orders" });
    expect(decisionOnBoth("clear", "other")).toMatchObject({ rule: "no-match" });
  });

  test("is denied by either", () => {
    for (const [typed, question] of [
      ["denied", "clear"],
      ["clear", "denied"],
    ] as const) {
      expect(decisionOnBoth(typed, question)).toMatchObject({ reason: "DENY_LIST", intent: "refunds" });
    }
  });

  test("is not answered where either may be denied, however clear the other is", () => {
    for (const [typed, question] of [
      ["faint", "clear"],
      ["other", "suspicious"],
    ] as const) {
      expect(decisionOnBoth(typed, question)).toMatchObject({ reason: "no_intent_match", rule: "unclear" });
    }
  });

  test("is denied by a candidate's competition only where that is its own", () => {
    const sure = (intent: string): WeighedCandidates => ({
      candidates: [
        {
          target: { kind: "intent", intent: intent as IntentName },
          chance: 0.95,
          reading: "plain",
          speaking: { meaning: 1, words: 0, classifier: 0, context: 0 },
        },
      ],
      nothing: 0.05,
      usesMeaning: true,
    });
    const judged = withReadingByModel(judge("faint"), { question: judge("clear") });
    const by = (asTyped: WeighedCandidates) =>
      decide({ judged, policy, weighed: [sure("orders")], asTyped: [asTyped] });
    expect(by(sure("orders"))).toMatchObject({ kind: "allowed", intent: "orders" });
    expect(by({ ...sure("orders"), candidates: [], nothing: 1 })).toMatchObject({ rule: "unclear" });
  });
});
