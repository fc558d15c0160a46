import type { BotTest } from "../../domain/bot-test.ts";
import type { TestOutcome } from "../../domain/operator/bots.ts";
import { type BotToTest, rehearseTests, type TestingParts, type TestingWatched } from "../bot-tests.ts";

/** The result of each of a bot's tests. @throws like `rehearseTests` */
export async function testOutcomes(
  parts: TestingParts,
  bot: BotToTest,
  watched: TestingWatched,
): Promise<TestOutcome[]> {
  const { failures } = await rehearseTests(parts, bot, watched);
  return (bot.document.tests ?? []).map((test, index) => {
    const failure = failures.find((found) => found.test === index + 1);
    return {
      test: index + 1,
      passed: failure === undefined,
      utterance: failure?.utterance ?? firstUtterance(test),
      mismatches: failure?.mismatches ?? [],
    };
  });
}

function firstUtterance(test: BotTest): string {
  return "dialogue" in test ? test.dialogue[0]!.utterance : test.utterance;
}
