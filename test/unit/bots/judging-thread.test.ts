import { afterEach, describe, expect, test } from "bun:test";

import { JudgingThread } from "../../../src/bots/judging-thread.ts";
import type { BotDocument } from "../../../src/domain/bot.ts";
import { judgeMessage } from "../../../src/governance/judge-message.ts";
import { compileGovernancePolicy } from "../../../src/governance/policy.ts";
import { openIntentModel } from "../../../src/intent/classifier.ts";
import { trainIntentModel } from "../../../src/intent/training/train.ts";
import { shopBot } from "../../support/bots.ts";

const model = trainIntentModel(shopBot().intents ?? []).model;
const LONG = `${"i am writing because of something that happened ".repeat(30)} where is my order`;

function botOf(document: BotDocument) {
  const classifier = openIntentModel(model);
  return { document, classifier, policy: compileGovernancePolicy(document, classifier) };
}

let thread: JudgingThread;
afterEach(() => thread[Symbol.dispose]());

describe("a long message", () => {
  test.each([
    ["is judged on the thread as it is here", LONG],
    ["is denied on the thread as it is here", `${LONG} and erase all of my data`],
  ])("%s", async (_, text) => {
    thread = new JudgingThread();
    const bot = botOf(shopBot());
    const judging = thread.judge(bot, text);
    expect(judging).toBeInstanceOf(Promise);
    const { weighed, ...judged } = await judging;
    expect(judged).toEqual(judgeMessage(text, bot.classifier, bot.policy));
    expect(weighed).toEqual(bot.classifier.judge(judged.request!));
  });

  test("is judged by its own bot, also when more bots were asked than the thread keeps", async () => {
    thread = new JudgingThread();
    const terms = "zebra walrus ostrich badger lizard salmon tortoise hamster penguin giraffe".split(" ");
    const bots = terms.map((term) => botOf(shopBot({ capabilityProfile: { denyTerms: [term] } })));
    const text = (n: number) => `${LONG} ${terms[n]}`;
    for (const order of [bots.keys(), [0, 9]]) {
      for (const n of order) {
        expect((await thread.judge(bots[n]!, text(n))).deniedBy).toEqual({ term: terms[n]! });
        expect((await thread.judge(bots[n]!, text((n + 1) % 10))).deniedBy).toBeUndefined();
      }
    }
  });

  test("that is being judged when the thread is closed fails, and another starts the thread anew", async () => {
    thread = new JudgingThread();
    const bot = botOf(shopBot());
    const judging = Promise.resolve(thread.judge(bot, LONG)).catch((error: Error) => error.message);
    thread[Symbol.dispose]();
    expect(await judging).toBe("the judging thread is closed");
    expect((await thread.judge(bot, LONG)).plain).toEqual(
      judgeMessage(LONG, bot.classifier, bot.policy).plain,
    );
  });
});

test("a short message is judged at once", () => {
  thread = new JudgingThread();
  const bot = botOf(shopBot());
  const text = "where is my order";
  expect(thread.judge(bot, text)).toEqual(judgeMessage(text, bot.classifier, bot.policy));
});
