import type { Classification, Classifier, DecisionEvidence, ReadingScores } from "../domain/decision.ts";
import { withoutCommonAddressParts } from "./disguise/addresses.ts";
import { undisguisedReadings } from "./disguise/undisguise.ts";
import { isAgreement, isBareReply, isBrief } from "./follow-up/brevity.ts";
import { type JudgedMessage, type JudgedReading, readingsOf, type Suspicion } from "./judged-message.ts";
import type { GovernancePolicy } from "./policy.ts";
import { classifyBestClause } from "./suspicion/best-clause.ts";
import { type DeniedClause, findDeniedClause } from "./suspicion/clauses.ts";
import { clausePlausibility, plausibilityOf } from "./suspicion/plausibility.ts";

/**
 * Longer readings are searched in pieces of so many characters, so that the cost of the search grows with the length and no faster.
 * Pieces overlap by more than a request is long, so that none is cut in two.
 */
const PIECE_LENGTH = 1800;
const PIECE_OVERLAP = 200;

function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let from = 0; from === 0 || from + PIECE_OVERLAP < text.length; from += PIECE_LENGTH - PIECE_OVERLAP) {
    pieces.push(text.slice(from, from + PIECE_LENGTH));
  }
  return pieces;
}

function suspicionOfWhole(classification: Classification, policy: GovernancePolicy): Suspicion | undefined {
  const { denied } = policy.standings;
  const chance = plausibilityOf(classification, policy.standings);
  if (chance === 0) return undefined;
  const likeliest = denied.reduce((best, k) =>
    classification.confidences[k]! > classification.confidences[best]! ? k : best,
  );
  return { intent: policy.intents[likeliest]!, chance };
}

function suspicionOfClause(
  text: string,
  wholeChance: number,
  classifier: Classifier,
  policy: GovernancePolicy,
): JudgedReading["clause"] {
  const { standings, intents } = policy;
  if (standings.denied.length === 0) return undefined;
  const chanceOf = (clause: DeniedClause): number => clausePlausibility(clause, wholeChance);
  const [best] = piecesOf(text)
    .flatMap((piece) => findDeniedClause(classifier.scan(piece), standings, intents.length) ?? [])
    .toSorted((left, right) => chanceOf(right) - chanceOf(left));
  return best && { from: best.from, to: best.to, intent: intents[best.intent]!, chance: chanceOf(best) };
}

function judgeReading(
  reading: JudgedReading["reading"],
  text: string,
  classifier: Classifier,
  policy: GovernancePolicy,
): JudgedReading {
  const classification = classifier.classify(text);
  const whole = suspicionOfWhole(classification, policy);
  const clause = suspicionOfClause(text, whole?.chance ?? 0, classifier, policy);
  return { reading, classification, ...(whole && { whole }), ...(clause && { clause }) };
}

/** A text that says nothing by itself: no intent has a chance. */
function judgeBareReply(text: string, { intents }: Classifier): JudgedMessage {
  const confidences = new Float32Array(intents.length);
  const classification: Classification = { scores: [], confidences, inScope: 0, confidence: 0 };
  return {
    plain: { reading: "plain", classification },
    undisguised: [],
    isBrief: true,
    isAgreement: isAgreement(text),
  };
}

/** Everything that the decision needs to know about a text. `policy` is compiled for the same classifier. */
export function judgeMessage(input: string, classifier: Classifier, policy: GovernancePolicy): JudgedMessage {
  const knows = (word: string): boolean => classifier.knows(word);
  const text = withoutCommonAddressParts(input, knows);
  if (isBareReply(text, classifier)) return judgeBareReply(text, classifier);
  const plain = judgeReading("plain", text, classifier, policy);
  const isOutOfScope = plain.classification.inScope < policy.thresholds.match;
  const clearestClause = isOutOfScope
    ? classifyBestClause(classifier.scan(text.slice(0, PIECE_LENGTH)), classifier)
    : undefined;
  return {
    plain,
    text,
    ...(clearestClause && { clearestClause }),
    undisguised: undisguisedReadings(text, knows).map((reading) =>
      judgeReading("undisguised", reading, classifier, policy),
    ),
    isBrief: isBrief(text, classifier),
    isAgreement: isAgreement(text),
  };
}

/**
 * The same message with another classification of its plain reading. What was suspected before is suspected still: other
 * evidence may deny, and never acquits.
 */
export function reconsider(
  judged: JudgedMessage,
  classification: Classification,
  policy: GovernancePolicy,
): JudgedMessage {
  const before = judged.plain.whole;
  const now = suspicionOfWhole(classification, policy);
  const whole = (before?.chance ?? 0) >= (now?.chance ?? 0) ? before : now;
  return { ...judged, plain: { ...judged.plain, classification, ...(whole && { whole }) } };
}

function scoresOf({ reading, classification, whole, clause }: JudgedReading): ReadingScores {
  return {
    reading,
    scores: classification.scores,
    inScope: classification.inScope,
    denied: whole?.chance ?? 0,
    ...(clause && {
      clause: { from: clause.from, to: clause.to, intent: clause.intent, denied: clause.chance },
    }),
  };
}

/** What a receipt keeps of a judgement; no message text. */
export function evidenceOf(judged: JudgedMessage, policy: GovernancePolicy): DecisionEvidence {
  return {
    thresholds: policy.thresholds,
    readings: readingsOf(judged).map((reading) => scoresOf(reading)),
  };
}
