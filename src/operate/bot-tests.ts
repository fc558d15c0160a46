import type { BotTest } from "../domain/bot.ts";
import type { DecisionRule } from "../domain/decision.ts";
import type { DecisionName } from "./decide-utterances.ts";
import type { Rehearsal, RehearsedTurn } from "./rehearsal.ts";

type TestMessage = Extract<BotTest, { utterance: string }>;

export interface Mismatch {
  field: "intent" | "decision" | "response";
  /** null: no intent. */
  expected: string | null;
  got: string | null;
}

/** A message of a test that led to something else than it should. */
export interface TestFailure {
  /** Place in the bot's `tests`, from 1. */
  test: number;
  /** Place in its dialogue, from 1; 1 where there is none. */
  message: number;
  utterance: string;
  mismatches: readonly Mismatch[];
  /** What decided the turn. */
  rule: DecisionRule;
}

/** Counts are of tests; a dialogue is one. */
export interface TestResults {
  passed: number;
  failed: number;
  failures: readonly TestFailure[];
}

/** Runs a bot's own tests, each as a conversation of its own. In observe mode, decisions are those that enforcement would make. */
export async function runBotTests(
  tests: readonly BotTest[],
  rehearsal: Pick<Rehearsal, "say" | "startOver">,
): Promise<TestResults> {
  const failures: TestFailure[] = [];
  for (const [index, test] of tests.entries()) {
    rehearsal.startOver();
    for (const [place, message] of messagesOf(test).entries()) {
      const turn = await rehearsal.say(message.utterance);
      const mismatches = compare(message, turn);
      if (mismatches.length === 0) continue;
      const { utterance } = message;
      failures.push({
        test: index + 1,
        message: place + 1,
        utterance,
        mismatches,
        rule: turn.receipt.wouldRestrict?.rule ?? turn.receipt.rule,
      });
    }
  }
  const failed = new Set(failures.map(({ test }) => test)).size;
  return { passed: tests.length - failed, failed, failures };
}

function messagesOf(test: BotTest): readonly TestMessage[] {
  return "dialogue" in test ? test.dialogue : [test];
}

function compare(expected: TestMessage, { answer, receipt }: RehearsedTurn): Mismatch[] {
  const got = {
    intent: receipt.wouldRestrict?.intent ?? answer.intentDetected ?? null,
    decision: decisionOf({ answer, receipt }),
    response: answer.response,
  };
  const fields = ["intent", "decision", "response"] as const;
  return fields.flatMap((field) => {
    const wanted = expected[field];
    return wanted === undefined || wanted === got[field]
      ? []
      : [{ field, expected: wanted, got: got[field] }];
  });
}

function decisionOf({ answer: { metadata }, receipt }: RehearsedTurn): DecisionName {
  if (receipt.wouldRestrict) return receipt.wouldRestrict.reason;
  const { enforcementReason } = metadata;
  return enforcementReason === undefined || enforcementReason === "schema_fallback"
    ? "allowed"
    : enforcementReason;
}
