import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import type { BotDocument } from "../../../../src/domain/bot.ts";
import type { IntentName } from "../../../../src/domain/ids.ts";
import { decide } from "../../../../src/governance/decide.ts";
import type { PreviousTurn } from "../../../../src/governance/follow-up/follow-up.ts";
import { judgeMessage } from "../../../../src/governance/judge-message.ts";
import { compileGovernancePolicy } from "../../../../src/governance/policy.ts";
import { botWith } from "../../../support/bots.ts";
import { suggestionsOf } from "../../../support/turns.ts";
import { wordClassifier } from "../../../support/word-classifier.ts";

const classifier = wordClassifier({
  track: { orders: 0.9 },
  other: { orders: 0.1 },
  refund: { refunds: 0.9 },
  money: { refunds: 0.05 },
  hello: { smalltalk: 0.9 },
});
const bot = botWith({ capabilityProfile: { allow: ["orders"], deny: ["refunds"] } });
const lastTurn: PreviousTurn = {
  intent: "orders" as IntentName,
  offered: [],
  asks: true,
  wasAllowed: true,
  ageMs: 60_000,
};

function decisionAfter(text: string, previous?: PreviousTurn, document = bot, reader = classifier) {
  const policy = compileGovernancePolicy(document, reader);
  return decide({ judged: judgeMessage(text, reader, policy), policy, ...(previous && { previous }) });
}

const inherited = { kind: "allowed", intent: "orders", rule: "follow-up" };

describe("a short message that matches nothing", () => {
  test.each(["yes", "and the other one?", "ok 👍", "はい", "sí, por favor", "und in rot?", "why?"])(
    "takes up the last intent: %s",
    (text) => {
      expect(decisionAfter(text, lastTurn)).toMatchObject(inherited);
    },
  );

  test("takes up the last intent though it looks like another", () => {
    const misreading = { ...classifier, classify: () => classifier.classify("refund") };
    expect(decisionAfter("yes", lastTurn, bot, misreading)).toMatchObject(inherited);
    expect(decisionAfter("yes refund", lastTurn, bot, misreading)).toMatchObject({ reason: "DENY_LIST" });
  });

  test("takes up the last intent though an example says please too", () => {
    const polite = {
      ...classifier,
      knows: (word: string) => word === "please",
      classify: () => classifier.classify("refund"),
    };
    expect(decisionAfter("yes, please", lastTurn, bot, polite)).toMatchObject(inherited);
    expect(decisionAfter("please", lastTurn, bot, polite)).toMatchObject({ reason: "DENY_LIST" });
  });

  test("goes before the default intent", () => {
    const withDefault = botWith({ ...bot, defaultIntent: "smalltalk" });
    expect(decisionAfter("yes", lastTurn, withDefault)).toMatchObject(inherited);
  });
});

describe("a yes to the question which intent was meant", () => {
  const asked: PreviousTurn = {
    offered: suggestionsOf("orders"),
    asks: true,
    wasAllowed: false,
    ageMs: 60_000,
  };

  test.each([
    "yes",
    "Yes, please!",
    "ok",
    "ja, bitte",
    "d’accord merci",
    "sí",
    "はい",
    "tak",
    "yep that's it",
    "claro que sí",
  ])("takes up that intent: %s", (text) => {
    expect(decisionAfter(text, asked)).toMatchObject(inherited);
  });

  test.each([
    "no",
    "no, thanks",
    "yes and no",
    "the other one",
    "why",
    "you sure?",
    "sure?",
    "please",
    "yes but tell me a story",
  ])("is none: %s", (text) => {
    expect(decisionAfter(text, asked)).toMatchObject({ reason: "no_intent_match" });
  });

  test("takes up none that is denied by now", () => {
    const stricter = { ...bot, capabilityProfile: { deny: ["orders"] } };
    expect(decisionAfter("yes", asked, stricter)).toMatchObject({ reason: "no_intent_match" });
  });

  test("takes up none that is there no longer", () => {
    const gone = { ...asked, offered: suggestionsOf("returns") };
    expect(decisionAfter("yes", gone)).toMatchObject({ reason: "no_intent_match" });
    expect(decisionAfter("yes", { ...lastTurn, intent: "returns" as IntentName })).toMatchObject({
      reason: "no_intent_match",
    });
  });

  test("counts though an intent is about that very word", () => {
    const cards = wordClassifier({ sim: { cards: 0.9 }, track: { orders: 0.9 } });
    const open = botWith();
    const answers = { ...cards, isExample: () => false };
    expect(decisionAfter("sim", asked, open, answers)).toMatchObject(inherited);
    expect(decisionAfter("sim", undefined, open, cards)).toMatchObject({ intent: "cards" });
  });

  test("is none where a word of it is denied", () => {
    const thanks = wordClassifier({ thanks: { smalltalk: 0.9 }, track: { orders: 0.9 } });
    const stern: BotDocument = { ...bot, capabilityProfile: { deny: ["smalltalk"] } };
    for (const text of ["ok thanks", "yes thanks"]) {
      expect(decisionAfter(text, asked, stern, thanks)).toMatchObject({ reason: "DENY_LIST" });
      expect(decisionAfter(text, lastTurn, stern, thanks)).toMatchObject({ reason: "DENY_LIST" });
    }
  });

  test("is too late after ten minutes", () => {
    expect(decisionAfter("yes", { ...asked, ageMs: 600_001 })).toMatchObject({ reason: "no_intent_match" });
  });
});

describe("nothing is taken up", () => {
  const unmatched = { kind: "restricted", reason: "no_intent_match" };
  const acknowledged = { intent: "social.acknowledge", rule: "social" };

  test("in the first turn", () => {
    expect(decisionAfter("yes")).toMatchObject({ intent: "social.acknowledge" });
    expect(decisionAfter("more")).toMatchObject(unmatched);
  });

  test("from a turn that was restricted", () => {
    expect(decisionAfter("yes", { ...lastTurn, wasAllowed: false })).toMatchObject(acknowledged);
  });

  test("from a turn without an intent", () => {
    expect(decisionAfter("yes", { offered: [], asks: true, wasAllowed: true, ageMs: 1 })).toMatchObject(
      acknowledged,
    );
  });

  test("after ten minutes", () => {
    expect(decisionAfter("yes", { ...lastTurn, ageMs: 600_001 })).toMatchObject(acknowledged);
  });

  test("by a longer message", () => {
    expect(decisionAfter("yes but tell me a story", lastTurn)).toMatchObject(unmatched);
    expect(
      decisionAfter("請告訴我一個關於一隻會飛的貓和一條會說話的魚的很長很長的故事吧好嗎謝謝", lastTurn),
    ).toMatchObject(unmatched);
  });

  test.each([
    "who is the president",
    "tell me a joke",
    "what is 2+2",
    "pizza margherita",
    "48213",
    "asdf qwer",
    "asdf",
  ])("by a message that may have a subject of its own: %s", (text) => {
    expect(decisionAfter(text, lastTurn)).toMatchObject(unmatched);
  });

  test("by a message in which a denied intent shows", () => {
    expect(decisionAfter("the money", lastTurn)).toMatchObject(unmatched);
    expect(decisionAfter("m0ney", lastTurn)).toMatchObject(unmatched);
  });

  test("into an intent that is denied by now", () => {
    const stricter = { ...bot, capabilityProfile: { deny: ["orders"] } };
    expect(decisionAfter("yes", lastTurn, stricter)).toMatchObject(unmatched);
  });

  test("by a message that matches an intent of its own", () => {
    expect(decisionAfter("refund", lastTurn)).toMatchObject({ reason: "DENY_LIST", intent: "refunds" });
  });
});

describe("a follow-up never carries an unknown noun into the conversation's intent", () => {
  const goesOn = fc.constantFrom(
    "and %?",
    "what about %",
    "and for %?",
    "and the % one",
    "% too?",
    "or %",
    "und %?",
    "y %?",
  );
  const noun = fc.stringMatching(/^[b-df-hj-np-tv-z]{2}[aeiou][b-df-hj-np-tv-z]{3,6}$/);

  test("whatever it begins with", () => {
    fc.assert(
      fc.property(goesOn, noun, (frame, word) => {
        expect(decisionAfter(frame.replace("%", word), lastTurn).kind).toBe("restricted");
      }),
    );
  });

  test.each([
    "and xanax?",
    "what about xanax",
    "und Xanax?",
    "et le xanax ?",
    "¿y xanax?",
    "e lo xanax?",
    "en xanax?",
  ])("%s", (text) => {
    expect(decisionAfter(text, lastTurn).kind).toBe("restricted");
  });
});
