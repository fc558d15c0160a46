import { examplesOf } from "../bots/training.ts";
import type { BotDocument } from "../domain/bot.ts";
import type { BotReviewResult } from "../domain/operator/bots.ts";
import { compileCapabilityProfile } from "../governance/profile/capability-profile.ts";
import { countExamples, type IntentExamples } from "../intent/classifier.ts";
import { type Contradiction, contradictionInWords } from "./contradictions/find-contradictions.ts";
import type { DecidedUtterance, DecisionName } from "./decide-utterances.ts";
import type { Prediction } from "./evaluate.ts";
import { evaluateDecisions } from "./figures.ts";
import { type IntentWarning, reviewIntents } from "./review.ts";
import { judgeBot, type Verdict } from "./verdict.ts";

/** The review of `parley seed`. Rates are 0–1, null if there is nothing to measure. */
export interface BotReview {
  intents: number;
  examples: number;
  /** Number of cross-validated examples; 0 without cross-validation. */
  judged: number;
  inScopeAccuracy: number | null;
  inScopeAccepted: number | null;
  deniedRecall: number | null;
  deniedByDenyList: number | null;
  allowedAnswered: number | null;
  falseDenialRate: number | null;
  /** Cross-validated examples that should be denied, and how many of them were answered. */
  toDeny: number;
  deniedAnswered: number;
  /** Cross-validated examples that should be answered, and how many of them were denied. */
  toAllow: number;
  allowedDenied: number;
  warnings: readonly IntentWarning[];
  verdict: Verdict;
}

/** @param decided from `crossValidateBot`; empty if that was not run. */
export function reviewBot(document: BotDocument, decided: readonly DecidedUtterance[]): BotReview {
  const intents = examplesOf(document);
  const evaluation = evaluateDecisions(decided);
  const profile = compileCapabilityProfile(document.capabilityProfile);
  const names = (document.intents ?? []).map(({ name }) => name);
  const denied = new Set<string>(names.filter((name) => profile.standingOf(name) === "denied"));
  const warnings = reviewIntents(intents, decided.map(withoutHeldDenial), denied);
  return {
    intents: intents.length,
    examples: countExamples(intents),
    judged: decided.length,
    inScopeAccuracy: evaluation.inScopeAccuracy,
    inScopeAccepted: evaluation.inScopeAccepted,
    deniedRecall: evaluation.deniedRecall,
    deniedByDenyList: evaluation.deniedByDenyList,
    allowedAnswered: evaluation.allowedAnswered,
    falseDenialRate: evaluation.falseDenialRate,
    ...countDenials(decided),
    warnings: warnings.filter((warning) => !isReportedByParser(warning, intents)),
    verdict: judgeBot(decided, warnings, document.id),
  };
}

function countDenials(decided: readonly DecidedUtterance[]) {
  const count = (expected: DecisionName, got?: DecisionName) =>
    decided.filter(
      ({ expectedDecision, gotDecision }) =>
        expectedDecision === expected && (got === undefined || gotDecision === got),
    ).length;
  return {
    toDeny: count("DENY_LIST"),
    deniedAnswered: count("DENY_LIST", "allowed"),
    toAllow: count("allowed"),
    allowedDenied: count("allowed", "DENY_LIST"),
  };
}

/** An example that is identical in two intents is left out: the bot file's parser reports it with its line. */
function isReportedByParser(warning: IntentWarning, intents: readonly IntentExamples[]): boolean {
  if (warning.kind !== "shared_example") return false;
  return intents
    .filter(({ name }) => warning.intents.includes(name))
    .every(({ examples = [] }) => examples.includes(warning.text));
}

/** If the example is denied as expected, another best intent does no harm. */
function withoutHeldDenial(decided: DecidedUtterance): Prediction {
  return { ...decided, isAccepted: decided.isAccepted && decided.gotDecision === "allowed" };
}

/**
 * How well a bot understands, for the console. @param decided the cross-validated examples; empty if there are too few. @param
 * contradictions between its answers and documents.
 */
export function reviewResult(
  document: BotDocument,
  decided: readonly DecidedUtterance[],
  contradictions: readonly Contradiction[],
): BotReviewResult {
  const { verdict, warnings } = reviewBot(document, decided);
  const { grade, right, asked, documents, judged, next } = verdict;
  return {
    grade,
    right,
    asked,
    documents,
    judged,
    next,
    overlaps: warnings.flatMap((warning) => {
      if (warning.kind !== "overlap") return [];
      const { intents, confused, total, examplesToMove } = warning.pair;
      const [one, other] = intents;
      const toMove = examplesToMove.map(({ text, from, to }) => ({ text, from, to }));
      return [{ intents: [one, other], confused, total, examplesToMove: toMove }];
    }),
    warnings: [...warnings.map(({ message }) => message), ...contradictions.map(contradictionInWords)],
  };
}
