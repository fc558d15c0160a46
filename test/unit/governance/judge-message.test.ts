import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import { UNCLEAR_SHARES } from "../../../src/governance/denial-gate.ts";
import { MAX_DENIED } from "../../../src/governance/follow-up/follow-up.ts";
import { judgeMessage, leastChanceOfClause } from "../../../src/governance/judge-message.ts";
import { compileGovernancePolicy } from "../../../src/governance/policy.ts";
import { openIntentModel } from "../../../src/intent/classifier.ts";
import { trainIntentModel } from "../../../src/intent/training/train.ts";
import { botWith } from "../../support/bots.ts";

const bot = botWith({ id: "host", name: "Host", allowedDomains: [] });

describe("a message with parts of an address in it", () => {
  const examples = (...texts: string[]) => texts;
  const intents = [
    { name: "dotnet", examples: examples("ASP.NET hosting", "host my .NET app", "can I run ASP.NET here") },
    { name: "asp", examples: examples("classic ASP hosting", "host my old ASP pages", "do you run ASP") },
  ];
  const classifier = openIntentModel(trainIntentModel(intents).model);
  const policy = compileGovernancePolicy(bot, classifier);
  const judged = (text: string) => judgeMessage(text, classifier, policy).plain.classification;

  test("is classified as written where an example says that part too", () => {
    expect(judged("ASP.NET hosting")).toEqual(classifier.classify("ASP.NET hosting"));
    expect(judged("ASP.NET hosting").scores[0]!.intent as string).toBe("dotnet");
  });

  test("is classified without it where no example does", () => {
    expect(judged("https://www.shop.com")).toEqual(classifier.classify("shop"));
  });
});

describe("a message that asks for nothing denied", () => {
  const examples = (...texts: string[]) => texts;
  const intents = [
    {
      name: "orders",
      examples: examples("where is my order", "track my parcel", "when will my order arrive"),
    },
    { name: "account", examples: examples("delete my account", "close my account", "erase my profile") },
  ];
  const classifier = openIntentModel(trainIntentModel(intents).model);
  const profile = { capabilityProfile: { deny: ["account" as never] } };
  const policy = compileGovernancePolicy(botWith({ ...bot, ...profile }), classifier);
  const clauseIn = (text: string) => judgeMessage(text, classifier, policy).plain.clause;

  test("has no part that is told of", () => {
    expect(clauseIn("where is my order")).toBeUndefined();
  });

  test("has one wherever a decision depends on it, follow-ups included", () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 1, noNaN: true }), (deny) => {
        const least = leastChanceOfClause({ match: 0.6, deny });
        expect(least).toBeLessThanOrEqual(MAX_DENIED);
        for (const share of Object.values(UNCLEAR_SHARES)) expect(least).toBeLessThanOrEqual(share * deny);
      }),
    );
  });

  test("has one where a part of it asks for something denied", () => {
    expect(clauseIn("where is my order, delete my account")?.intent as string).toBe("account");
  });
});

test("a stretched word that begins with a capital I for l is read as it is meant", () => {
  const intents = [
    { name: "coats", examples: ["a long coat", "do you have long coats", "long ones please"] },
    { name: "hours", examples: ["opening hours", "when do you open", "open today"] },
  ];
  const classifier = openIntentModel(trainIntentModel(intents).model);
  const { undisguised } = judgeMessage("a Ilong coat", classifier, compileGovernancePolicy(bot, classifier));
  expect(undisguised.map(({ text }) => text)).toEqual(["a long coat"]);
});
