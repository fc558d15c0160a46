import type { BotKnowledge } from "../bots/bot-knowledge.ts";
import type { BotTest } from "../domain/bot-test.ts";
import type { BotDocument } from "../domain/bot.ts";
import type { DecisionRule } from "../domain/decision.ts";
import { KNOWLEDGE_INTENT } from "../domain/ids.ts";
import type { TestOutcome } from "../domain/operator/bots.ts";
import { knowledgeResponderFor, responderFor } from "../domain/responder.ts";
import type { EncoderThread } from "../intent/classifier.ts";
import type { TrainedModel } from "../store/interface/bots.ts";
import type { DecisionName } from "./decide-utterances.ts";
import type { Slices } from "./long-work.ts";
import type { OpenRehearsal, Rehearsal, RehearsedTurn } from "./rehearsal.ts";
import { withoutModels } from "./without-models.ts";

type TestMessage = Extract<BotTest, { utterance: string }>;

export interface Mismatch {
  field: "intent" | "decision" | "response";
  /** null: no intent. */
  expected: string | null;
  got: string | null;
}

/** A test message with an unexpected result. */
export interface TestFailure {
  /** Number of the test in `tests`, from 1. */
  test: number;
  /** Number of the message in its dialogue, from 1; 1 without a dialogue. */
  message: number;
  utterance: string;
  mismatches: readonly Mismatch[];
  /** The rule that decided the turn. */
  rule: DecisionRule;
}

/** Counts of tests; a dialogue is one test. */
export interface TestResults {
  passed: number;
  failed: number;
  failures: readonly TestFailure[];
}

/** The parts that running tests uses. */
export interface TestingParts {
  openRehearsal: OpenRehearsal;
  encoder: Pick<EncoderThread, "encode">;
}

/** A bot with its model and documents. */
export interface BotToTest {
  document: BotDocument;
  model: TrainedModel;
  knowledge: BotKnowledge;
}

interface TestingWatched {
  report: (done: number, of: number) => void;
  /** Set if visitors have to be answered in between. */
  slices?: Pick<Slices, "pause">;
}

/**
 * Runs a bot's tests on a copy in memory that asks no models.
 *
 * @throws the abort reason of the signal of `slices`.
 */
export async function rehearseTests(
  { openRehearsal, encoder }: TestingParts,
  { document, model, knowledge }: BotToTest,
  { report, slices }: TestingWatched,
): Promise<TestResults> {
  const total = document.tests?.length ?? 0;
  if (total === 0) return { passed: 0, failed: 0, failures: [] };
  await using rehearsal = await openRehearsal(withoutModels(document), model, { knowledge, encoder });
  let begun = 0;
  return await runBotTests(document, {
    startOver() {
      report(begun++, total);
      rehearsal.startOver();
    },
    async say(input, endpoint) {
      await slices?.pause();
      return rehearsal.say(input, endpoint);
    },
  });
}

/**
 * Runs a bot's tests, each as its own conversation. In observe mode, decisions are those of enforcement. An answer that a model would write
 * is not compared.
 *
 * @param rehearsal of the bot without its models
 */
export async function runBotTests(
  bot: BotDocument,
  rehearsal: Pick<Rehearsal, "say" | "startOver">,
): Promise<TestResults> {
  const { tests = [] } = bot;
  const failures: TestFailure[] = [];
  for (const [index, test] of tests.entries()) {
    rehearsal.startOver();
    for (const [place, message] of messagesOf(test).entries()) {
      const turn = await rehearsal.say(message.utterance, message.endpoint);
      const mismatches = compare(message, turn).filter(
        ({ field }) => field !== "response" || !isForModel(bot, turn),
      );
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

/** A failure on one line. Long texts are cut, and control characters are escaped. */
export function describeFailure({ utterance, mismatches }: TestFailure): string {
  const differences = mismatches.map(({ field, expected, got }) => {
    const show = (value: string | null) => (field === "response" ? quoted(value ?? "") : (value ?? "none"));
    return `${field} is ${show(got)}, not ${show(expected)}`;
  });
  return `the test ${quoted(utterance)} fails: ${differences.join("; ")}`;
}

/** Characters shown of a text, enough to identify it. */
const MAX_SHOWN = 100;

function quoted(text: string): string {
  return JSON.stringify(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN).toWellFormed()}…` : text);
}

/** Whether a model server would be asked to write the answer. */
function isForModel(
  bot: BotDocument,
  { answer: { intentDetected, metadata }, receipt: { rule } }: RehearsedTurn,
): boolean {
  if (!metadata.capabilityAllowed || intentDetected === undefined || rule === "social") return false;
  if (intentDetected === KNOWLEDGE_INTENT)
    return rule === "knowledge" && knowledgeResponderFor(bot) !== undefined;
  return responderFor(bot, intentDetected).kind === "model";
}

function messagesOf(test: BotTest): readonly TestMessage[] {
  return "dialogue" in test ? test.dialogue : [test];
}

function compare(expected: TestMessage, turn: RehearsedTurn): Mismatch[] {
  const { answer, receipt } = turn;
  const got = {
    intent: receipt.wouldRestrict?.intent ?? answer.intentDetected ?? null,
    decision: decisionOf(turn),
    response: answer.response,
  };
  const fields = ["intent", "decision", "response"] as const;
  return fields.flatMap((field) => {
    const wanted = expected[field];
    const isAsWanted = wanted === undefined || wanted === got[field];
    return isAsWanted || (field === "response" && isSameJson(wanted, answer))
      ? []
      : [{ field, expected: wanted, got: got[field] }];
  });
}

/** An answer that passed a schema is serialised again, so that the spelling of the test's JSON does not matter. */
function isSameJson(wanted: string | null, { response, metadata }: RehearsedTurn["answer"]): boolean {
  if (!metadata.schemaEnforced || wanted === null) return false;
  try {
    return Bun.deepEquals(JSON.parse(wanted), JSON.parse(response));
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

function decisionOf({ answer: { metadata }, receipt }: RehearsedTurn): DecisionName {
  if (receipt.wouldRestrict) return receipt.wouldRestrict.reason;
  const { enforcementReason } = metadata;
  return enforcementReason === undefined || enforcementReason === "schema_fallback"
    ? "allowed"
    : enforcementReason;
}

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
