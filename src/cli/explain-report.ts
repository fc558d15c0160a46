import { isTextKept, type Turn, type TurnState } from "../domain/conversation.ts";
import {
  type Decision,
  type DecisionReceipt,
  type DecisionRule,
  deniedByInWords,
  type Encoding,
  MIN_SHARE_OF_BEST,
  type ModelReceipt,
  type ReadingScores,
  WORDING_FAULTS,
} from "../domain/decision.ts";
import type { WordPull } from "../intent/classifier.ts";
import { inShort, nameOf, PASSED_ON, RULES_IN_WORDS, whyNotSaid } from "../operate/decided-by.ts";
import type { EncoderNotAtHand, Explanation, MessageExplanation } from "../operate/explain.ts";
import type { Reasons } from "../operate/reasons.ts";
import { describeAction } from "../operate/receipt/describe-action.ts";
import { whatSpoke } from "../operate/what-spoke.ts";
import type { StoredTurn } from "../store/interface/conversations.ts";
import { formatInstant, formatShare, NOT_KEPT, printable } from "./format.ts";

type Field = [name: string, value: string];

/** The lines of `parley explain REQUEST_ID` for people. */
export function describeExplanation(explanation: Explanation): string[] {
  const { turn, replayed, agrees, reasons, passages, encoder } = explanation;
  const fields: Field[] = [
    ...turnFields(turn),
    ["input", turn.input],
    ...field(turn.standalone, (question) => ["asked as", `${question} (by a model)`]),
    ["in short", inShort(replayed.decision, chanceOf(replayed.decision, reasons))],
    ...reasonFields(reasons),
    ...receiptFields(turn, reasons, passages),
    ...field(encoder, (notAtHand) => ["encoder", describeNotAtHand(notAtHand)]),
    ["replay", replayOf(explanation)],
  ];
  if (!agrees) fields.push(...readingFields(replayed.receipt, reasons));
  return linesOf(fields);
}

function replayOf({ agrees, isContextGone, replayed }: Explanation): string {
  const outcome = agrees ? "the same result" : `differs: ${outcomeOf(replayed.decision)}`;
  return isContextGone ? `without the messages before it, which are not stored: ${outcome}` : outcome;
}

/** The same for a turn whose text was not stored, from its receipt alone. */
export function describeUnkept(turn: StoredTurn): string[] {
  return linesOf([
    ...turnFields(turn),
    ["input", `${NOT_KEPT}, because the server ran with --store-messages none`],
    ...receiptFields(turn, {}, {}),
    ["replay", "not possible without the message"],
  ]);
}

/** The same for a turn that an operator got. */
export function describePassedOn(turn: StoredTurn): string[] {
  const { receipt } = turn;
  return linesOf([
    ...turnFields(turn),
    ["input", isTextKept(turn) ? turn.input : NOT_KEPT],
    ["decision", decidedBy(undefined, receipt.rule)],
    ["in short", PASSED_ON],
  ]);
}

function turnFields(turn: StoredTurn): Field[] {
  return [
    ["request", `${turn.requestId}, ${formatInstant(turn.at)}`],
    ["bot", `${turn.botId}, version ${turn.botVersion}`],
  ];
}

/** The facts of a receipt that do not depend on the text. */
function receiptFields(
  turn: StoredTurn,
  reasons: Pick<Reasons, "deniedPart">,
  passages: Explanation["passages"],
): Field[] {
  const { receipt, metadata } = turn;
  return [
    ["intent", turn.intent ?? "none"],
    ...field(turn.subject, ({ name, words }) => ["about", aboutInWords(name, words)]),
    ["decision", decidedBy(metadata.enforcementReason, receipt.rule)],
    ...deniedByField(receipt),
    ...observedField(receipt),
    ...stateField(turn),
    ["thresholds", thresholdsOf(receipt)],
    ...readingFields(receipt, reasons),
    ...knowledgeFields(receipt, passages),
    ...candidateFields(receipt, turn.intent, passages),
    ...describeAction(receipt).map((line): Field => ["action", line]),
    ...understandingField(receipt),
    ...serverFields(receipt),
    ["stages", stagesOf(receipt)],
  ];
}

/** The lines of `parley explain --bot BOT "message"` for people. */
export function describeMessage(
  { decision, receipt, reasons, passages }: MessageExplanation,
  { text, bot }: { text: string; bot: string },
): string[] {
  return linesOf([
    ["bot", bot],
    ["input", text],
    ["in short", inShort(decision, chanceOf(decision, reasons))],
    ...reasonFields(reasons),
    ["intent", decision.intent ?? "none"],
    ["decision", decidedBy(decision.kind === "restricted" ? decision.reason : undefined, decision.rule)],
    ...deniedByField(receipt),
    ...observedField(receipt),
    ["thresholds", thresholdsOf(receipt)],
    ...readingFields(receipt, reasons),
    ...knowledgeFields(receipt, passages),
    ...candidateFields(receipt, decision.intent, passages),
  ]);
}

const WEIGHED: Record<Encoding, string> = {
  used: ", by words and by what it means",
  unavailable: ", by words alone: the encoder failed",
  overloaded: ", by words alone: too many texts waited for the encoder",
  not_ready: ", by words alone: the encoder had yet to read the documents",
  off: ", by words alone: the server ran without an encoder",
};

/**
 * The documents' result: the probability that the best passage answers, and the best passages with their scores unless they are candidates.
 */
function knowledgeFields(
  { knowledge, candidates }: DecisionReceipt,
  titles: Explanation["passages"],
): Field[] {
  if (knowledge === undefined) return [];
  const { confidence, thresholds, passages, isFollowUp, meaning } = knowledge;
  const followUp = isFollowUp ? ", with the subject of the turn before" : "";
  return [
    [
      "documents",
      `${formatShare(confidence)} sure${thresholds === undefined ? "" : `; answered from ${formatShare(thresholds.answer)} on, offered from ${formatShare(thresholds.mayHelp)} on`}${followUp}${meaning === undefined ? "" : WEIGHED[meaning]}`,
    ],
    ...(candidates === undefined ? passages : []).map(({ id, document, score }): Field => [
      "  passage",
      `${titles[id] ?? `document ${document}`}, passage ${id}, score ${score}`,
    ]),
  ];
}

/** The candidates, best first, with the evidence for each, and why a likely candidate was not used. */
function candidateFields(
  receipt: DecisionReceipt,
  intent: string | undefined,
  titles: Explanation["passages"],
): Field[] {
  const { candidates, alsoIntents = [] } = receipt;
  if (candidates === undefined) return [];
  const said = intent === undefined ? alsoIntents : [intent, ...alsoIntents];
  const why = whyNotSaid(receipt, said, titles);
  const spoke = whatSpoke(candidates);
  const rest = 1 - candidates.reduce((sum, { chance }) => sum + chance, 0);
  return [
    ...candidates.map((candidate, at): Field => [
      "candidate",
      `${formatShare(candidate.chance)}  ${nameOf(candidate, titles)}, ${spoke[at]!}`,
    ]),
    ["", `${formatShare(Math.max(0, rest))}  something else, or nothing that the bot covers`],
    ...(why === undefined ? [] : [["not said", why] satisfies Field]),
  ];
}

function linesOf(fields: readonly Field[]): string[] {
  return fields.map(([name, value]) => `${name.padEnd(12)}${printable(value)}`);
}

/** Probability of the deciding intent, formatted. */
function chanceOf(decision: Decision, { intent, confidence }: Reasons): string | undefined {
  return intent === decision.intent ? formatShare(confidence) : undefined;
}

function decidedBy(reason: string | undefined, rule: DecisionRule): string {
  return `${reason ?? "allowed"}, by ${rule} (${RULES_IN_WORDS[rule]})`;
}

function outcomeOf(decision: Decision): string {
  const reason = decision.kind === "restricted" ? decision.reason : "allowed";
  return `${decision.intent ?? "no intent"}, ${reason}, by ${decision.rule}`;
}

/** Similarity below which the nearest example is not shown. Chosen by hand. */
const MIN_LIKENESS = 0.2;
/** Below this probability, the words for an intent are not shown. Chosen by hand. */
const MIN_CONFIDENCE = 0.1;
/** Contribution below which a word is not shown. Chosen by hand. */
const MIN_PULL = 0.02;
/** Words shown for each direction. */
const MAX_PULLS = 6;

function reasonFields(reasons: Reasons): Field[] {
  const { nearest, repaired, unknown, advice } = reasons;
  return [
    ...field(
      nearest && nearest.likeness >= MIN_LIKENESS ? nearest : undefined,
      ({ text, intent, likeness }) => [
        "nearest",
        `"${text}" of ${intent}, ${Math.round(likeness * 100)} % alike`,
      ],
    ),
    ...pullFields(reasons),
    ...field(listed(repaired.map(({ typed, takenAs }) => `${typed} as ${takenAs}`)), (text) => [
      "taken",
      text,
    ]),
    ...field(listed(unknown.map((word) => `"${word}"`)), (text) => ["unknown", `${text}: in no example`]),
    ["to do", advice.text],
  ];
}

/** The field of a value that is there. */
function field<Value>(value: Value | undefined, describe: (value: Value) => Field): Field[] {
  return value === undefined ? [] : [describe(value)];
}

function listed(texts: readonly string[]): string | undefined {
  return texts.length === 0 ? undefined : texts.join(", ");
}

/** The words for the best intent, and those for the second best. */
function pullFields({ pulls, intent, rival, confidence }: Reasons): Field[] {
  if (confidence < MIN_CONFIDENCE) return [];
  const notable = pulls.filter(({ pull }) => Math.abs(pull) >= MIN_PULL);
  const show = (chosen: readonly WordPull[]) =>
    listed(chosen.slice(0, MAX_PULLS).map(({ words, pull }) => `"${words}" ${Math.abs(pull).toFixed(2)}`));
  const against = rival === null ? `against ${intent}` : `for ${rival}`;
  return [
    ...field(show(notable.filter(({ pull }) => pull > 0)), (text) => [
      "words",
      `for ${intent}: ${text} (a whole example comes to about 1)`,
    ]),
    ...field(show(notable.filter(({ pull }) => pull < 0)), (text) => ["", `${against}: ${text}`]),
  ];
}

/** The term or pattern that denied the message. */
function deniedByField({ deniedBy }: DecisionReceipt): Field[] {
  return deniedBy === undefined ? [] : [["denied by", deniedByInWords(deniedBy)]];
}

/** The restriction that observe mode did not apply. */
function observedField({ wouldRestrict }: DecisionReceipt): Field[] {
  if (!wouldRestrict) return [];
  const { reason, intent, rule, deniedBy } = wouldRestrict;
  const what = deniedBy === undefined ? intent : deniedByInWords(deniedBy);
  const about = what === undefined ? "" : ` for ${what}`;
  return [["observed", `enforcement would have restricted it: ${reason}${about}, by ${rule}`]];
}

const STATES: Record<Exclude<TurnState, "complete">, string> = {
  unanswered: "the answer failed: not counted",
  cut: "cut off: the visitor left before it was complete",
};

const NO_MODEL = "no model answered: not counted, and the visitor was offered a person";

function stateField({ state, receipt: { offersPerson } }: Turn): Field[] {
  if (state === "unanswered" && offersPerson) return [["answer", NO_MODEL]];
  return state === "complete" ? [] : [["answer", STATES[state]]];
}

/** The subject of a turn, with the visitor's words for it. */
function aboutInWords(name: string, words: readonly string[]): string {
  return words.length === 0 ? name : `${name} (${words.join(", ")})`;
}

function thresholdsOf({ thresholds: { match, deny }, candidates }: DecisionReceipt): string {
  // Candidates compete only with each other, without a threshold.
  if (candidates !== undefined) return `a denied intent denies from ${deny.toFixed(3)} on`;
  const best = (MIN_SHARE_OF_BEST * match).toFixed(3);
  return `a message is in scope from ${match.toFixed(3)} on, its intent matches from ${best} on, a denied one denies from ${deny.toFixed(3)} on`;
}

const READINGS: Record<ReadingScores["reading"], string> = {
  plain: "as written",
  undisguised: "undisguised",
  "in-context": "in context",
  standalone: "as a model asks it",
};

/** One line per reading of the message: the best intents, and the probability that it asks for something denied. */
function readingFields({ readings }: DecisionReceipt, { deniedPart }: Pick<Reasons, "deniedPart">): Field[] {
  return readings.map(({ reading, leans, about, scores, inScope, denied, clause }) => {
    const best = scores.map(({ intent, confidence }) => `${intent} ${confidence.toFixed(3)}`).join(", ");
    const facts = [
      `in scope ${inScope.toFixed(3)}`,
      `closest to ${best || "nothing"}`,
      `asks for something denied ${denied.toFixed(3)}`,
    ];
    if (leans !== undefined) facts.unshift(`leans on ${aboutOf(about)} ${leans.toFixed(3)}`);
    if (clause)
      facts.push(
        `nearest denied: ${clause.intent} ${clause.denied.toFixed(3)} (${wordsOf(clause)}${reading === "plain" && deniedPart !== undefined ? `: "${deniedPart}"` : ""})`,
      );
    return [READINGS[reading], facts.join("; ")];
  });
}

/** The answer of the turn before. */
function aboutOf(about: ReadingScores["about"]): string {
  if (about?.passage) return `passage ${about.passage.id} of document ${about.passage.document}`;
  return about?.intent ?? "what was said before";
}

function wordsOf({ from, to }: { from: number; to: number }): string {
  return to - from === 1 ? `word ${to}` : `words ${from + 1} to ${to}`;
}

const UNDERSTOOD: Record<Encoding, string> = {
  used: "weighed",
  unavailable: "not weighed: the encoder failed",
  overloaded: "not weighed: too many texts waited for the encoder",
  not_ready: "not weighed: the encoder had yet to read the bot's examples",
  off: "not weighed: the server ran without an encoder",
};

/** Whether the message was judged by meaning, and by which encoder. */
function understandingField({ understanding, encoder }: DecisionReceipt): [string, string][] {
  const by: [string, string][] = encoder === undefined ? [] : [["encoded by", encoder]];
  return understanding === undefined ? by : [["meaning", UNDERSTOOD[understanding]], ...by];
}

function describeNotAtHand({ used, replayedWith }: EncoderNotAtHand): string {
  const by = replayedWith === undefined ? "by words alone" : `with ${replayedWith}`;
  return `${used ?? "an earlier one"} is not available: replayed ${by}`;
}

/** The part that model servers had in the turn. */
function serverFields({ assistance, model }: DecisionReceipt): Field[] {
  const helpers = Object.entries({ embeddings: assistance?.embeddings, judge: assistance?.judge })
    .filter(([, outcome]) => outcome !== undefined)
    .map(([helper, outcome]) => `${helper} ${outcome}`);
  const calls = (model?.calls ?? []).map(
    ({ server, outcome, reason, milliseconds }) =>
      `${server} ${outcome}${reason === undefined ? "" : ` (${reason})`} ${milliseconds.toFixed(0)} ms`,
  );
  return [
    ...(helpers.length > 0 ? [["intent help", helpers.join(", ")] as Field] : []),
    ...(model ? [["model", [...calls, tokensOf(model)].join(", ")] as Field] : []),
    ...(model?.rejected ? [["wording", `not used: ${WORDING_FAULTS[model.rejected]}`] as Field] : []),
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
