import { describe, expect, test } from "bun:test";

import { contextToEncode } from "../../../src/bots/read-in-context.ts";
import { understandBy } from "../../../src/bots/understanding.ts";
import type { IntentName } from "../../../src/domain/ids.ts";
import type { Subject } from "../../../src/domain/subject.ts";
import { decide } from "../../../src/governance/decide.ts";
import { judgeMessage } from "../../../src/governance/judge-message.ts";
import { compileGovernancePolicy } from "../../../src/governance/policy.ts";
import { openIntentModel, openSentenceModel } from "../../../src/intent/classifier.ts";
import { shopBot } from "../../support/bots.ts";
import { encoderHere, trainHere } from "../../support/encode-here.ts";

const trained = trainHere(shopBot().intents ?? []);
const classifier = openIntentModel(trained.model);
const policy = compileGovernancePolicy(shopBot(), classifier);
const bot = { classifier, policy, sentences: openSentenceModel(trained.sentences!) };
const judge = (text: string) => judgeMessage(text, classifier, policy);
const subject: Subject = {
  intent: "orders.status" as IntentName,
  name: "the state of an order",
  words: ["order"],
};
const before = { text: "where is my order", subject };
const readAfter = (text: string, said: typeof before | { text: string }) =>
  understandBy(encoderHere)(bot, judge(text), said);

describe("what is to be encoded", () => {
  test.each([
    ["a courtesy", "thanks a lot"],
    ["a yes", "yes please"],
    ["an example", "track my parcel please"],
    ["a message whose intent is clear", "please delete my account"],
    ["a message without a word", "  "],
  ])("is nothing of %s", (_, text) => {
    expect(contextToEncode(judge(text), before)).toBeUndefined();
  });

  test("is nothing of a first message", () => {
    expect(contextToEncode(judge("and by Friday?"), undefined)).toBeUndefined();
  });

  test("is the message behind the turn before, with the name of what was answered", () => {
    expect(contextToEncode(judge("and by Friday?"), before)).toMatchObject({
      alone: { form: "message", text: "and by Friday?" },
      inContext: { form: "followUp", text: "and by Friday?", before: before.text, subject: subject.name },
      subject: { form: "passage", text: subject.name },
    });
    const { inContext, subject: none } = contextToEncode(judge("and by Friday?"), { text: "hm" })!;
    expect(inContext).not.toHaveProperty("subject");
    expect(none).toBeUndefined();
  });

  test("is a bare question as well, which says nothing alone", () => {
    expect(contextToEncode(judge("why?"), before)?.inContext).toMatchObject({ text: "why?" });
  });
});

describe("a message behind what was said before", () => {
  test("takes up what that was about", async () => {
    const { inContext } = await readAfter("and by Friday?", before);
    expect(inContext!.leans).toBeGreaterThan(0.5);
    expect(inContext!.about).toEqual({ intent: "orders.status" as IntentName });
    expect(inContext!.classification.scores[0]?.intent as string).toBe("orders.status");
  });

  test("has no such reading where it stands alone", async () => {
    expect(
      (await readAfter("can I pay the invoice from Canada in two instalments", before)).inContext,
    ).toBeUndefined();
  });

  test("is suspected of what it asks for there", async () => {
    const denied = { text: "delete my account" };
    const judged = await readAfter("and my sister's too", denied);
    expect(judged.inContext!.whole).toMatchObject({ intent: "account.delete" });
    expect(decide({ judged, policy })).toMatchObject({ reason: "DENY_LIST", intent: "account.delete" });
  });

  test("is read for documents alone where the bot's examples were not encoded", async () => {
    const judged = await understandBy(encoderHere)(
      { ...bot, sentences: undefined },
      judge("and by Friday?"),
      before,
    );
    expect(judged.inContext!.classification.scores).toEqual([]);
    expect(judged.inContext!.meaning.vector.length).toBeGreaterThan(0);
  });
});
