import type { BotDocument } from "../domain/bot.ts";
import { openIntentModel, type TimedTrainingResult } from "../intent/classifier.ts";
import type { TestFailure, TestResults } from "../operate/bot-tests.ts";
import type { DecidedUtterance } from "../operate/decide-utterances.ts";
import type { KnowledgeEvaluation } from "../operate/evaluate-knowledge.ts";
import { measureSpeed } from "../operate/evaluate.ts";
import { evaluateDecisions, type Evaluation, listMisses, type Miss } from "../operate/figures.ts";
import { type BotReview, reviewBot } from "../operate/review-bot.ts";
import { findOverlaps, type OverlappingPair } from "../operate/review.ts";
import { counted, formatShare, formatTable, printable } from "./format.ts";
import { describeMisses } from "./miss-report.ts";
import { describeVerdict } from "./review-bots.ts";
import type { Colours } from "./terminal.ts";

/** The result of `parley eval`. */
export interface EvalReport {
  evaluation: Evaluation;
  decided: readonly DecidedUtterance[];
  /** null: utterances were evaluated instead. */
  tests: TestResults | null;
  /** null: utterances were evaluated, or there are too few examples. */
  review: BotReview | null;
  /** null: no utterance has a source. */
  knowledge: KnowledgeEvaluation | null;
  misses: readonly Miss[];
  pairsToSeparate: readonly OverlappingPair[];
  /** Mean time of one classification; null without a text to classify. */
  microsecondsPerMessage: number | null;
  trainMs: number;
  modelBytes: number;
}

const PAIRS = 3;
const TIMED_MESSAGES = 2000;
const MAX_LISTED = 5;
const MAX_MISSES = 10;

export function assembleReport(found: {
  document: BotDocument;
  trained: TimedTrainingResult;
  decided: readonly DecidedUtterance[];
  tests: TestResults | null;
  knowledge: KnowledgeEvaluation | null;
}): EvalReport {
  const { trained, decided, tests, knowledge } = found;
  return {
    evaluation: evaluateDecisions(decided),
    decided,
    tests,
    knowledge,
    review: tests && decided.length > 0 ? reviewBot(found.document, decided) : null,
    misses: listMisses(decided),
    pairsToSeparate: findOverlaps(decided, PAIRS),
    microsecondsPerMessage: timeMessages(
      trained.model,
      decided.map(({ text }) => text),
    ),
    trainMs: trained.trainMs,
    modelBytes: trained.model.length,
  };
}

/** Classifies everything twice and measures the second pass: by then the engine has compiled the code, as in a running server. */
function timeMessages(model: Uint8Array, texts: readonly string[]): number | null {
  if (texts.length === 0) return null;
  const timed = Array.from({ length: TIMED_MESSAGES }, (_, i) => texts[i % texts.length]!);
  const classifier = openIntentModel(model);
  const nowMs = () => performance.now();
  measureSpeed(classifier, timed, nowMs);
  return measureSpeed(classifier, timed, nowMs);
}

/** The JSON of `parley eval --json`; its names are public interface. */
export function reportAsJson({
  evaluation,
  tests,
  knowledge,
  review,
  misses,
  pairsToSeparate,
  ...measured
}: EvalReport) {
  return {
    ...evaluation,
    microsecondsPerMessage: measured.microsecondsPerMessage,
    trainMs: measured.trainMs,
    modelBytes: measured.modelBytes,
    pairsToSeparate,
    verdict: review?.verdict ?? null,
    misses,
    tests,
    knowledge,
  };
}

/** The report as text. */
export function describeReport(report: EvalReport, title: string, colours: Colours): string {
  return [
    `${colours.bold(title)}: ${describeModel(report)}`,
    ...describeTests(report, colours),
    ...describeJudgement(report, colours),
    ...describeFigures(report),
    ...describeDecisions(report, colours),
    ...describePairs(report, colours),
    ...describeWeakest(report, colours),
    ...describeKnowledge(report.knowledge),
    ...describeMisses(report.misses, { total: report.evaluation.total, most: mostMisses(report), colours }),
  ].join("\n");
}

function describeModel({ modelBytes, trainMs, microsecondsPerMessage }: EvalReport): string {
  const facts = [`model of ${Math.ceil(modelBytes / 1000)} kB`, `trained in ${Math.round(trainMs)} ms`];
  if (microsecondsPerMessage !== null) facts.push(`${microsecondsPerMessage.toFixed(0)} µs a message`);
  return facts.join(", ");
}

/** Cross-validation misses dozens of examples, of which the first are enough; missed utterances are all listed. */
function mostMisses({ tests }: EvalReport): number {
  return tests ? MAX_MISSES : Infinity;
}

function describeTests({ tests }: EvalReport, colours: Colours): string[] {
  if (!tests) return [];
  const { passed, failed, failures } = tests;
  if (passed + failed === 0) return ["", "No tests: add `tests` to the bot file."];
  const total = passed + failed;
  const summary =
    failed === 0 ? `${passed} of ${total} tests passed.` : colours.red(`${failed} of ${total} tests failed:`);
  return ["", summary, ...failures.flatMap(describeFailure)];
}

function describeFailure({ test, message, utterance, mismatches, rule }: TestFailure): string[] {
  return [
    `  test ${test}, message ${message}: "${printable(utterance)}", decided by ${rule}`,
    ...mismatches.map(({ field, expected, got }) => {
      const show = (value: string | null) => (field === "response" ? `"${value}"` : (value ?? "none"));
      return printable(`    ${field}: expected ${show(expected)}, got ${show(got)}`);
    }),
  ];
}

function describeJudgement({ review }: EvalReport, colours: Colours): string[] {
  return review ? ["", describeVerdict(review, colours)] : [];
}

/** How well the documents answer, and the questions they miss. */
function describeKnowledge(knowledge: KnowledgeEvaluation | null): string[] {
  if (knowledge === null) return [];
  const rates: [string, number | null][] = [
    ["right document first", knowledge.recallAt1],
    ["right document among the first five", knowledge.recallAt5],
    ["answerable: answered", knowledge.answered],
    ["answered: from the right document", knowledge.answeredRight],
    ["not answerable: answered", knowledge.falselyAnswered],
  ];
  return [
    "",
    `Documents: ${counted(knowledge.total, "question")}, ${knowledge.answerable} of them answerable`,
    ...rateLines(rates),
    ...knowledge.misses.map(({ text, expected, got, confidence, isAnswered }) =>
      printable(
        `  "${text}": ${isAnswered ? "answered from" : "not answered; nearest"} ${got ?? "nothing"}, expected ${expected ?? "nothing"}, ${formatShare(confidence)} sure`,
      ),
    ),
  ];
}

function describeFigures({ evaluation, tests, knowledge }: EvalReport): string[] {
  const { total } = evaluation;
  if (total === 0 && knowledge !== null) return [];
  if (total === 0) return ["", "Too few examples to cross-validate."];
  const heading = tests
    ? `Cross-validation: ${total} examples, each judged by a model trained without it`
    : counted(total, "utterance");
  const rates: [string, number | null][] = [
    ["in scope: served", evaluation.served],
    ["in scope: best intent right", evaluation.inScopeAccuracy],
    ["in scope: right and accepted", evaluation.inScopeAccepted],
    ["out of scope: rejected", evaluation.outOfScopeRecall],
    ["rejected: out of scope", evaluation.outOfScopePrecision],
    ["to deny: restricted", evaluation.deniedRecall],
    ["to deny: denied as such", evaluation.deniedByDenyList],
    ["to allow: answered", evaluation.allowedAnswered],
    ["to allow: denied", evaluation.falseDenialRate],
    ["decided as expected", evaluation.decisionAccuracy],
  ];
  return ["", heading, ...rateLines(rates), ...describeChances(evaluation)];
}

/** A line for each rate that was measured. */
function rateLines(rates: readonly [string, number | null][]): string[] {
  return rates
    .filter(([, rate]) => rate !== null)
    .map(([name, rate]) => `  ${name.padEnd(34)}${formatShare(rate).padStart(8)}`);
}

function describeChances({ outOfScopeAuroc, expectedCalibrationError }: Evaluation): string[] {
  const figures: [string, number | null][] = [
    ["in against out of scope (AUROC)", outOfScopeAuroc],
    ["expected calibration error", expectedCalibrationError],
  ];
  return figures.flatMap(([name, value]) =>
    value === null ? [] : [`  ${name.padEnd(34)}${value.toFixed(3).padStart(6)}`],
  );
}

function describeDecisions({ decided }: EvalReport, colours: Colours): string[] {
  const missed = decided.filter(
    ({ expectedDecision, gotDecision }) => expectedDecision === "DENY_LIST" && gotDecision === "allowed",
  );
  const overdone = decided.filter(
    ({ expectedDecision, gotDecision }) => expectedDecision === "allowed" && gotDecision === "DENY_LIST",
  );
  return [
    ...listTexts("Answered, but should be denied:", missed, colours),
    ...listTexts("Denied, but should be answered:", overdone, colours),
  ];
}

function listTexts(heading: string, decided: readonly DecidedUtterance[], colours: Colours): string[] {
  if (decided.length === 0) return [];
  const rest = decided.length - MAX_LISTED;
  return [
    "",
    colours.bold(heading),
    ...decided.slice(0, MAX_LISTED).map(({ text, expected, decidedIntent, rule }) => {
      const taken = expected === decidedIntent ? "" : `, mistaken for ${decidedIntent ?? "nothing"}`;
      return `  "${printable(text)}", ${expected ?? "out of scope"}${taken}, by ${rule}`;
    }),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
  ];
}

function describePairs({ pairsToSeparate, tests }: EvalReport, colours: Colours): string[] {
  if (pairsToSeparate.length === 0) return [];
  const what = tests ? "examples" : "utterances";
  return [
    "",
    colours.bold("Intents to separate:"),
    ...pairsToSeparate.flatMap(({ intents, confused, total, examplesToMove }) => [
      `  ${intents.join(" and ")}: ${confused} of ${total} ${what} mistaken for the other; move or reword them`,
      ...examplesToMove.map(({ text, from, to }) => `    "${printable(text)}", ${from}, looks like ${to}`),
    ]),
  ];
}

function describeWeakest({ evaluation: { perIntent } }: EvalReport, colours: Colours): string[] {
  const weakest = perIntent
    .filter(({ recall }) => recall < 1)
    .toSorted((a, b) => a.recall - b.recall)
    .slice(0, MAX_LISTED);
  if (weakest.length === 0) return [];
  const rows = weakest.map(({ intent, total, recall, accepted, precision }) => [
    `  ${intent}`,
    String(total),
    formatShare(recall),
    formatShare(accepted),
    formatShare(precision),
  ]);
  return [
    "",
    colours.bold("Weakest intents:"),
    formatTable(["  INTENT", "TOTAL", "RIGHT", "AND ACCEPTED", "PRECISION"], rows),
  ];
}
