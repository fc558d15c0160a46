import type { BotKnowledge } from "../../bots/bot-knowledge.ts";
import type { BotDocument, BotTest } from "../../domain/bot.ts";
import type { TestOutcome } from "../../domain/operator/bots.ts";
import type { EncoderThread } from "../../intent/classifier.ts";
import type { TrainedModel } from "../../store/interface/bots.ts";
import { runBotTests } from "../bot-tests.ts";
import type { Rehearsal } from "../rehearsal.ts";

/** Opens a bot in memory, with the turn of a server, on a store that ends with it. */
export type OpenRehearsal = (
  document: BotDocument,
  model: TrainedModel,
  parts: { knowledge: BotKnowledge; encoder: Pick<EncoderThread, "encode"> },
) => Promise<Rehearsal>;

/**
 * What a bot's own tests come to, one by one.
 *
 * @throws the signal's reason where it aborts.
 */
export async function testOutcomes(
  tests: readonly BotTest[],
  rehearsal: Pick<Rehearsal, "say" | "startOver">,
  { signal, report }: { signal: AbortSignal; report: (done: number, of: number) => void },
): Promise<TestOutcome[]> {
  let begun = 0;
  const { failures } = await runBotTests(tests, {
    startOver() {
      signal.throwIfAborted();
      report(begun++, tests.length);
      rehearsal.startOver();
    },
    say: (input) => rehearsal.say(input),
  });
  return tests.map((test, index) => {
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
