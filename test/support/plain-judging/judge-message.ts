import type { Classification, Classifier } from "../../../src/domain/decision.ts";
import { withoutCommonAddressParts } from "../../../src/governance/disguise/addresses.ts";
import { undisguisedReadings } from "../../../src/governance/disguise/undisguise.ts";
import { findDenyRule } from "../../../src/governance/find-deny-rule.ts";
import {
  type JudgedMessage,
  type JudgedReading,
  type Suspicion,
} from "../../../src/governance/judged-message.ts";
import { judgeParts } from "../../../src/governance/parts/judge-parts.ts";
import type { GovernancePolicy } from "../../../src/governance/policy.ts";
import { classifyBestClause } from "../../../src/governance/suspicion/best-clause.ts";
import { clausePlausibility, plausibilityOf } from "../../../src/governance/suspicion/plausibility.ts";
import { recogniseSocialTurn, type SocialTurn } from "../../../src/social/social-turn.ts";
import { separateCourtesies } from "../../../src/social/without-courtesies.ts";
import { writeOutChatSpeak } from "../../../src/text/chat-speak.ts";
import { LANGUAGES } from "../../../src/text/languages.ts";
import { goesOn, hasSubject, isAgreement, isBareReply, isBrief } from "./brevity.ts";
import { type DeniedClause, findDeniedClause } from "./clauses.ts";

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

/**
 * A text by what it requests, courtesies aside. What they may hide is looked for in the whole of it: a word that was taken for a courtesy
 * never keeps a denied intent from being seen.
 */
function judgeRequest(
  text: string,
  request: string,
  classifier: Classifier,
  policy: GovernancePolicy,
): JudgedReading {
  const judged = judgeReading("plain", request, classifier, policy);
  if (request === text) return judged;
  const { whole, clause } = judgeReading("plain", text, classifier, policy);
  const strongestWhole = stronger(judged.whole, whole);
  const strongestClause = stronger(judged.clause, clause);
  return {
    ...judged,
    ...(strongestWhole && { whole: strongestWhole }),
    ...(strongestClause && { clause: strongestClause }),
  };
}

function stronger<Found extends Suspicion>(
  one: Found | undefined,
  other: Found | undefined,
): Found | undefined {
  return (one?.chance ?? 0) >= (other?.chance ?? 0) ? (one ?? other) : other;
}

/** A text that says nothing by itself: no intent has a chance. */
function judgeBareReply(text: string, classifier: Classifier, policy: GovernancePolicy): JudgedMessage {
  const confidences = new Float32Array(classifier.intents.length);
  const classification: Classification = { scores: [], confidences, inScope: 0, confidence: 0 };
  return {
    text,
    plain: { reading: "plain", classification },
    undisguised: [],
    ...socialOf(text, recogniseSocialTurn(text, policy.addressing), policy, (word) => classifier.knows(word)),
    isExample: false,
    isBrief: true,
    isAgreement: isAgreement(text),
  };
}

/** A request as it would be written where nobody is in a hurry. */
function plainWords(request: string, { texts }: GovernancePolicy, knows: (word: string) => boolean): string {
  const language = LANGUAGES.find((known) => known === texts.language);
  return language === undefined ? request : writeOutChatSpeak(request, language, knows);
}

/**
 * A social turn, where the message is one. A word that the bot's examples hold is no typing error of a courtesy, and nobody is taken to insult
 * by mistake: "price" is not "prick".
 */
function socialOf(
  text: string,
  turn: SocialTurn | undefined,
  { social, addressing }: GovernancePolicy,
  knows: (word: string) => boolean,
): Pick<JudgedMessage, "social"> {
  if (social === undefined || turn === undefined) return {};
  const words = text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  if (turn.kind !== "abuse" && !words.some(knows)) return { social: turn };
  const exact = recogniseSocialTurn(text, { ...addressing, isExact: true });
  return exact === undefined ? {} : { social: exact };
}

/** What can be told of a message's parts and words, where it is not clear as a whole. */
function partsOf(text: string, classifier: Classifier): Pick<JudgedMessage, "parts" | "sharedBy"> {
  const parts = judgeParts(text, { classify: (part) => classifier.classify(part), hasSubject });
  const sharedBy = classifier.intentsSharing(text);
  return { ...(parts && { parts }), ...(sharedBy.length > 1 && { sharedBy }) };
}

/** Everything that the decision needs to know about a text. `policy` is compiled for the same classifier. */
export function judgePlainly(input: string, classifier: Classifier, policy: GovernancePolicy): JudgedMessage {
  const judged = judgeTextPlainly(input, classifier, policy);
  const deniedBy = policy.denyRules && findDenyRule(input, judged.undisguised, policy.denyRules, classifier);
  return deniedBy ? { ...judged, deniedBy } : judged;
}

function judgeTextPlainly(input: string, classifier: Classifier, policy: GovernancePolicy): JudgedMessage {
  const knows = (word: string): boolean => classifier.knows(word);
  const text = withoutCommonAddressParts(input, knows);
  if (isBareReply(text, classifier)) return judgeBareReply(text, classifier, policy);
  const { turn, request: asked } = separateCourtesies(text, policy.addressing);
  const request = plainWords(asked, policy, knows);
  const plain = judgeRequest(text, request, classifier, policy);
  const goingOn = goesOn(text, classifier);
  const social = socialOf(text, turn, policy, knows);
  const isOutOfScope = plain.classification.inScope < policy.thresholds.match;
  const clearestClause = isOutOfScope
    ? classifyBestClause(classifier.scan(text.slice(0, PIECE_LENGTH)), classifier)
    : undefined;
  return {
    text,
    plain,
    ...(social.social === undefined && { request }),
    ...partsOf(request, classifier),
    ...social,
    isExample: classifier.isExample(text),
    ...(clearestClause && { clearestClause }),
    undisguised: undisguisedReadings(text, knows).map((reading) => ({
      ...judgeReading("undisguised", reading, classifier, policy),
      text: reading,
    })),
    isBrief: isBrief(text, classifier),
    ...(goingOn && { goesOn: goingOn }),
    isAgreement: isAgreement(text),
  };
}
