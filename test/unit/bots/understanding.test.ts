import { describe, expect, test } from "bun:test";

import { inLightOf, sentencesToEncode, understandBy } from "../../../src/bots/understanding.ts";
import { judgeMessage } from "../../../src/governance/judge-message.ts";
import { compileGovernancePolicy } from "../../../src/governance/policy.ts";
import { openIntentModel, openSentenceModel } from "../../../src/intent/classifier.ts";
import { shopBot } from "../../support/bots.ts";
import { encoderHere, trainHere, vectorOf } from "../../support/encode-here.ts";

const trained = trainHere(shopBot().intents ?? []);
const classifier = openIntentModel(trained.model);
const policy = compileGovernancePolicy(shopBot(), classifier);
const bot = { classifier, policy, sentences: openSentenceModel(trained.sentences!) };
const judge = (text: string) => judgeMessage(text, classifier, policy);
const textsOf = (message: string) => sentencesToEncode(bot, judge(message)).map(({ text }) => text);

describe("what is to be encoded", () => {
  test.each([
    ["a message whose intent is clear", "where is my order"],
    ["a bare reply", "yes please"],
    ["a message without a word", "   "],
  ])("is nothing of %s", (_, text) => {
    expect(textsOf(text).join("").trim()).toBe("");
  });

  test("is the rest as it was typed", () => {
    expect(textsOf("Have the goods been PACAKGED?")).toEqual(["Have the goods been PACAKGED?"]);
  });

  test("is each part as well, where a message has two", () => {
    expect(textsOf("are the goods dispatched? how do I wipe everything")).toHaveLength(3);
  });

  test("is nothing for a bot whose examples were not encoded", () => {
    const judged = judge("have the goods been dispatched");
    expect(sentencesToEncode(bot, judged)).toHaveLength(1);
    expect(sentencesToEncode({ ...bot, sentences: undefined }, judged)).toEqual([]);
  });
});

describe("a message in the light of what it means", () => {
  const text = "have the goods been dispatched";

  test("is nearer to its intent than by its words alone", async () => {
    const { classification } = (await understandBy(encoderHere)(bot, judge(text))).plain;
    expect(classification.scores[0]?.intent as string).toBe("orders.status");
    expect(classification.inScope).toBeGreaterThan(judge(text).plain.classification.inScope);
  });

  test("is as it was where nothing could be encoded", () => {
    const judged = judge(text);
    expect(inLightOf(bot, judged, [undefined])).toBe(judged);
  });

  test("is suspected of what it was suspected of before, whatever it means", () => {
    const judged = judge("remove it for me");
    const before = judged.plain.whole!;
    expect(before.chance).toBeGreaterThan(0.1);
    const harmless = vectorOf("how long until the goods get here")!;
    const after = inLightOf(bot, judged, [harmless]).plain.whole!;
    expect(after.chance).toBeGreaterThanOrEqual(before.chance);
  });
});
