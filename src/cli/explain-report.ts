import type { Turn, TurnState } from "../domain/conversation.ts";
import {
  type DecisionReceipt,
  LEAST_SHARE_OF_BEST,
  type ModelReceipt,
  type ReadingScores,
} from "../domain/decision.ts";
import type { Explanation } from "../operate/explain.ts";
import { formatInstant, printable } from "./format.ts";

/** The lines of `parley explain` for people. */
export function describeExplanation({ turn, replayed, agrees }: Explanation): string[] {
  const { receipt, metadata } = turn;
  const verdict = metadata.enforcementReason ?? "allowed";
  const again = replayed.decision.kind === "restricted" ? replayed.decision.reason : "allowed";
  const fields: [string, string][] = [
    ["request", `${turn.requestId}, ${formatInstant(turn.at)}`],
    ["bot", `${turn.botId}, version ${turn.botVersion}`],
    ["input", turn.input],
    ["intent", turn.intent ?? "none"],
    ["decision", `${verdict}, by ${receipt.rule}`],
    ...askedField(receipt),
    ...observedField(receipt),
    ...stateField(turn),
    ["thresholds", thresholdsOf(receipt)],
    ...readingFields(receipt),
    ...understandingField(receipt),
    ...serverFields(receipt),
    ["stages", stagesOf(receipt)],
    [
      "replay",
      agrees
        ? "comes to the same"
        : `differs: ${replayed.decision.intent ?? "no intent"}, ${again}, by ${replayed.decision.rule}`,
    ],
  ];
  if (!agrees) fields.push(...readingFields(replayed.receipt));
  return fields.map(([name, value]) => `${name.padEnd(12)}${printable(value)}`);
}

/** What the bot asked back. */
function askedField({ suggestions = [] }: DecisionReceipt): [string, string][] {
  return suggestions.length === 0 ? [] : [["asked about", suggestions.map(({ label }) => label).join(", ")]];
}

/** What observe mode let pass. */
function observedField({ wouldRestrict }: DecisionReceipt): [string, string][] {
  if (!wouldRestrict) return [];
  const { reason, intent, rule } = wouldRestrict;
  const about = intent === undefined ? "" : ` for ${intent}`;
  return [["observed", `enforcement would have restricted it: ${reason}${about}, by ${rule}`]];
}

const STATES: Record<Exclude<TurnState, "complete">, string> = {
  unanswered: "the answer failed: not counted",
  cut: "cut off: the visitor left before it was complete",
};

function stateField({ state }: Turn): [string, string][] {
  return state === "complete" ? [] : [["answer", STATES[state]]];
}

function thresholdsOf({ thresholds: { match, deny } }: DecisionReceipt): string {
  const best = (LEAST_SHARE_OF_BEST * match).toFixed(3);
  return `a message is in scope from ${match.toFixed(3)} on, its intent matches from ${best} on, a denied one denies from ${deny.toFixed(3)} on`;
}

const READINGS: Record<ReadingScores["reading"], string> = {
  plain: "as written",
  undisguised: "undisguised",
};

/** A line per reading of the message: the best intents, and how much of it asks for something denied. */
function readingFields({ readings }: DecisionReceipt): [string, string][] {
  return readings.map(({ reading, scores, inScope, denied, clause }) => {
    const best = scores.map(({ intent, confidence }) => `${intent} ${confidence.toFixed(3)}`).join(", ");
    const facts = [
      `in scope ${inScope.toFixed(3)}`,
      `closest to ${best || "nothing"}`,
      `asks for something denied ${denied.toFixed(3)}`,
    ];
    if (clause)
      facts.push(`nearest denied: ${clause.intent} ${clause.denied.toFixed(3)} (${wordsOf(clause)})`);
    return [READINGS[reading], facts.join("; ")];
  });
}

function wordsOf({ from, to }: { from: number; to: number }): string {
  return to - from === 1 ? `word ${to}` : `words ${from + 1} to ${to}`;
}

/** Whether the message was judged by its meaning. */
function understandingField({ understanding }: DecisionReceipt): [string, string][] {
  if (understanding === undefined) return [];
  return [["meaning", understanding === "used" ? "weighed" : "not weighed: the encoder failed"]];
}

/** What model servers had to do with the turn. */
function serverFields({ assistance, model }: DecisionReceipt): [string, string][] {
  const helpers = Object.entries({ embeddings: assistance?.embeddings, judge: assistance?.judge })
    .filter(([, outcome]) => outcome !== undefined)
    .map(([helper, outcome]) => `${helper} ${outcome}`);
  const calls = (model?.calls ?? []).map(
    ({ server, outcome, reason, milliseconds }) =>
      `${server} ${outcome}${reason === undefined ? "" : ` (${reason})`} ${milliseconds.toFixed(0)} ms`,
  );
  return [
    ...(helpers.length > 0 ? [["intent help", helpers.join(", ")] as [string, string]] : []),
    ...(model ? [["model", [...calls, tokensOf(model)].join(", ")] as [string, string]] : []),
  ];
}

function tokensOf({ usage, isUsageEstimated }: ModelReceipt): string {
  const { promptTokens, completionTokens } = usage;
  return `${isUsageEstimated ? "about " : ""}${promptTokens} + ${completionTokens} tokens`;
}

function stagesOf({ stagesMs }: DecisionReceipt): string {
  return Object.entries(stagesMs)
    .map(([stage, ms]) => `${stage} ${ms.toFixed(2)} ms`)
    .join(", ");
}
