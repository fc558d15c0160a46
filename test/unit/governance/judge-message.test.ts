import { describe, expect, test } from "bun:test";

import { judgeMessage } from "../../../src/governance/judge-message.ts";
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
