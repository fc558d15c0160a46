import type {
  Classification,
  Classifier,
  DecisionEvidence,
  DecisionThresholds,
  ReadingScores,
} from "../domain/decision.ts";
import type { ReadingMeaning } from "../domain/reading-meaning.ts";
import { isSocialWord } from "../social/social-phrases.ts";
import { recogniseSocialTurn, type SocialTurn } from "../social/social-turn.ts";
import { separateCourtesies } from "../social/without-courtesies.ts";
import { writeOutChatSpeak } from "../text/chat-speak.ts";
import { LANGUAGES } from "../text/languages.ts";
import { wordsOfMessage } from "../text/phrases/message-words.ts";
import { withoutCommonAddressParts } from "./disguise/addresses.ts";
import { isGarbled } from "./disguise/garbled.ts";
import { isSurelyUndisguised } from "./disguise/surely-undisguised.ts";
import { undisguisedReadings } from "./disguise/undisguise.ts";
import { findDenyRule } from "./find-deny-rule.ts";
import * as brevity from "./follow-up/brevity.ts";
import { MOST_DENIED } from "./follow-up/follow-up.ts";
import {
  type JudgedMessage,
  type JudgedReading,
  type ReadByModel,
  type ReadingInContext,
  readingsOf,
  type Suspicion,
} from "./judged-message.ts";
import { judgeParts } from "./parts/judge-parts.ts";
import type { GovernancePolicy } from "./policy.ts";
import { socialIntentOf } from "./social-policy.ts";
import { classifyBestClause } from "./suspicion/best-clause.ts";
import { type DeniedClause, findDeniedClause } from "./suspicion/clauses.ts";
import { clausePlausibility, plausibilityOf } from "./suspicion/plausibility.ts";
import { LEAST_UNCLEAR_SHARE } from "./unclear-shares.ts";

/**
 * Longer readings are searched in pieces of so many characters, so that the cost of the search grows with the length and no faster.
 * Pieces overlap by more than a request is long, so that none is cut in two.
 */
const PIECE_LENGTH = 1800;
const PIECE_OVERLAP = 200;

/** The steps of judging that take short cuts. Tests hold them against steps that take none. */
export interface JudgingSteps {
  separateCourtesies: typeof separateCourtesies;
  brevity: Pick<typeof brevity, "goesOn" | "hasSubject" | "isAgreement" | "isBareReply" | "isBrief">;
  findDeniedClause: typeof findDeniedClause;
  /** The chance of a denied intent from which on a part of a message is told of. */
  leastChanceOfClause(thresholds: DecisionThresholds): number;
  undisguisedReadings(text: string, classifier: Classifier): readonly string[];
}

const SHORT_CUTS: JudgingSteps = {
  separateCourtesies,
  leastChanceOfClause,
  brevity,
  findDeniedClause,
  undisguisedReadings: (text, classifier) =>
    isSurelyUndisguised(text, (hash) => classifier.knowsHash(hash))
      ? []
      : undisguisedReadings(text, (word) => classifier.knows(word)),
};

/** With a lower chance of a denied intent, a part of a message changes no decision. */
export function leastChanceOfClause({ deny }: DecisionThresholds): number {
  return Math.min(LEAST_UNCLEAR_SHARE * deny, MOST_DENIED);
}

/** What a text is judged by, and how. */
interface Judging {
  classifier: Classifier;
  /** Compiled for that classifier. */
  policy: GovernancePolicy;
  steps: JudgingSteps;
}

function piecesOf(text: string): readonly string[] {
  if (text.length <= PIECE_LENGTH) return [text];
  const pieces: string[] = [];
  for (let from = 0; from === 0 || from + PIECE_OVERLAP < text.length; from += PIECE_LENGTH - PIECE_OVERLAP) {
    pieces.push(text.slice(from, from + PIECE_LENGTH));
  }
  return pieces;
}

function suspicionOfWhole(classification: Classification, policy: GovernancePolicy): Suspicion | undefined {
  const { denied } = policy.standings;
  const { confidences } = classification;
  const chance = plausibilityOf(classification, policy.standings);
  if (chance === 0) return undefined;
  let likeliest = denied[0]!;
  for (let i = 1; i < denied.length; i++)
    if (confidences[denied[i]!]! > confidences[likeliest]!) likeliest = denied[i]!;
  return { intent: policy.intents[likeliest]!, chance };
}

/** The most suspicious part of a text, the first of several alike; none where no decision can depend on it. */
function suspicionOfClause(
  text: string,
  wholeChance: number,
  { classifier, policy: { standings, intents, thresholds }, steps }: Judging,
): JudgedReading["clause"] {
  if (standings.denied.length === 0) return undefined;
  const interest = { whole: wholeChance, leastChance: steps.leastChanceOfClause(thresholds) };
  let best: DeniedClause | undefined;
  let chance = 0;
  for (const piece of piecesOf(text)) {
    const clause = steps.findDeniedClause(classifier.scan(piece), standings, intents.length, interest);
    const chanceOfClause = clause === undefined ? 0 : clausePlausibility(clause, wholeChance);
    if (chanceOfClause >= interest.leastChance && chanceOfClause > chance)
      [best, chance] = [clause, chanceOfClause];
  }
  return best && { from: best.from, to: best.to, intent: intents[best.intent]!, chance };
}

function judgeReading(reading: JudgedReading["reading"], text: string, judging: Judging): JudgedReading {
  const classification = judging.classifier.classify(text);
  const judged: JudgedReading = { reading, classification };
  const whole = suspicionOfWhole(classification, judging.policy);
  if (whole !== undefined) judged.whole = whole;
  const clause = suspicionOfClause(text, whole?.chance ?? 0, judging);
  if (clause !== undefined) judged.clause = clause;
  return judged;
}

/**
 * A text by what it requests, courtesies aside. What they may hide is looked for in the whole of it: a word that was taken for a courtesy
 * never keeps a denied intent from being seen.
 */
function judgeRequest(text: string, request: string, judging: Judging): JudgedReading {
  const judged = judgeReading("plain", request, judging);
  if (request === text) return judged;
  const { whole, clause } = judgeReading("plain", text, judging);
  const strongestWhole = stronger(judged.whole, whole);
  if (strongestWhole !== undefined) judged.whole = strongestWhole;
  const strongestClause = stronger(judged.clause, clause);
  if (strongestClause !== undefined) judged.clause = strongestClause;
  return judged;
}

function stronger<Found extends Suspicion>(
  one: Found | undefined,
  other: Found | undefined,
): Found | undefined {
  return (one?.chance ?? 0) >= (other?.chance ?? 0) ? (one ?? other) : other;
}

/** A text that says nothing by itself: no intent has a chance. */
function judgeBareReply(text: string, { classifier, policy, steps }: Judging): JudgedMessage {
  const confidences = new Float32Array(classifier.intents.length);
  const classification: Classification = { scores: [], confidences, inScope: 0, confidence: 0 };
  const turn = recogniseSocialTurn(text, policy.addressing);
  const social = socialOf(text, turn, policy, (word) => classifier.knows(word));
  return {
    text,
    plain: { reading: "plain", classification },
    undisguised: [],
    ...(social && { social }),
    ...(asksForPerson(social, undefined, policy) && { asksForPerson: true }),
    isExample: false,
    isBrief: true,
    isAgreement: steps.brevity.isAgreement(text),
  };
}

/** A request as it would be written where nobody is in a hurry. */
function plainWords(request: string, { texts }: GovernancePolicy, knows: (word: string) => boolean): string {
  const language = LANGUAGES.find((known) => known === texts.language);
  return language === undefined ? request : writeOutChatSpeak(request, language, knows);
}

/** Whether a person is asked for who is offered: a profile that denies it is heard in a message with something else in it, too. */
function asksForPerson(
  turn: SocialTurn | undefined,
  asksBeside: true | undefined,
  { social }: GovernancePolicy,
): boolean {
  const asks = turn === undefined ? asksBeside === true : turn.kind === "person";
  return asks && social?.standingOf(socialIntentOf("person")) === "allowed";
}

/**
 * A social turn, where the message is one. A word that the bot's examples hold is no typing error of a courtesy ("hall" is not "hello"), and
 * nobody is taken to insult by mistake: "price" is not "prick".
 */
function socialOf(
  text: string,
  turn: SocialTurn | undefined,
  { social, addressing }: GovernancePolicy,
  knows: (word: string) => boolean,
): SocialTurn | undefined {
  if (social === undefined || turn === undefined) return undefined;
  const isMended = (word: string) => knows(word) && !isSocialWord(word, turn.language);
  if (turn.kind !== "abuse" && !wordsOfMessage(text).some((word) => isMended(word.text))) return turn;
  return recogniseSocialTurn(text, { ...addressing, isExact: true });
}

/** Everything that the decision needs to know about a text. `policy` is compiled for the same classifier. */
export function judgeMessage(
  input: string,
  classifier: Classifier,
  policy: GovernancePolicy,
  steps: JudgingSteps = SHORT_CUTS,
): JudgedMessage {
  const judged = judgeText(input, { classifier, policy, steps });
  const deniedBy = policy.denyRules && findDenyRule(input, judged.undisguised, policy.denyRules, classifier);
  return deniedBy ? { ...judged, deniedBy } : judged;
}

function judgeText(input: string, judging: Judging): JudgedMessage {
  const { classifier, policy, steps } = judging;
  const { goesOn, hasSubject, isAgreement, isBareReply, isBrief } = steps.brevity;
  const knows = (word: string): boolean => classifier.knows(word);
  const text = withoutCommonAddressParts(input, knows);
  if (isBareReply(text, classifier)) return judgeBareReply(text, judging);
  const {
    turn,
    request: asked,
    asksForPerson: asksBeside,
  } = steps.separateCourtesies(text, policy.addressing);
  const request = plainWords(asked, policy, knows);
  // What asks for the same text stands side by side: a classifier reads a text once as long as it is asked about no other.
  const plain = judgeRequest(text, request, judging);
  const sharedBy = classifier.intentsSharing(request);
  const judged: JudgedMessage = {
    text,
    plain,
    undisguised: [],
    isExample: classifier.isExample(text),
    isBrief: isBrief(text, classifier),
    isAgreement: isAgreement(text),
  };
  if (sharedBy.length > 1) judged.sharedBy = sharedBy;
  if (isMadeUnreadable(request, judged, judging)) judged.isGarbled = true;
  const social = socialOf(text, turn, policy, knows);
  if (social === undefined) judged.request = request;
  else judged.social = social;
  if (asksForPerson(social, asksBeside, policy)) judged.asksForPerson = true;
  const goingOn = goesOn(text, classifier);
  if (goingOn !== undefined) judged.goesOn = goingOn;
  const parts = judgeParts(request, { classify: (part) => classifier.classify(part), hasSubject });
  if (parts !== undefined) judged.parts = parts;
  const clearestClause = clearestClauseOf(text, plain, judging);
  if (clearestClause !== undefined) judged.clearestClause = clearestClause;
  const readings = steps.undisguisedReadings(text, classifier);
  if (readings.length > 0)
    judged.undisguised = readings.map((reading) => ({
      ...judgeReading("undisguised", reading, judging),
      text: reading,
    }));
  return judged;
}

/** Longer messages are stories, in which a few odd words are no request. */
function isMadeUnreadable(
  text: string,
  { isExample }: JudgedMessage,
  { classifier, policy: { standings } }: Judging,
): boolean {
  if (standings.denied.length === 0 || isExample || text.length > PIECE_LENGTH) return false;
  return isGarbled(text, {
    knows: (word) => classifier.knows(word),
    isRealWord: (word) => classifier.isRealWord(word),
  });
}

/** The clearest part of a message that matches nothing as a whole. */
function clearestClauseOf(
  text: string,
  { classification }: JudgedReading,
  { classifier, policy }: Judging,
): Classification | undefined {
  if (classification.inScope >= policy.thresholds.match) return undefined;
  return classifyBestClause(classifier.scan(text.slice(0, PIECE_LENGTH)), classifier);
}

/**
 * The same message with another classification of its plain reading. What was suspected before is suspected still: other
 * evidence may deny, and never acquits.
 */
export function reconsider(
  judged: JudgedMessage,
  classification: Classification,
  policy: GovernancePolicy,
  meaning?: ReadingMeaning,
): JudgedMessage {
  const found = suspicionOfWhole(classification, policy);
  const whole = stronger(judged.plain.whole, found);
  return {
    ...judged,
    deniedByOthers: found?.chance ?? 0,
    plain: { ...judged.plain, classification, ...(whole && { whole }), ...(meaning && { meaning }) },
  };
}

/** The same message with a reading behind what was said before it. What is denied is looked for in that, too. */
export function withReadingInContext(
  judged: JudgedMessage,
  reading: Pick<ReadingInContext, "classification" | "leans" | "about" | "bringsWord" | "meaning">,
  policy: GovernancePolicy,
): JudgedMessage {
  const whole = suspicionOfWhole(reading.classification, policy);
  return { ...judged, inContext: { reading: "in-context", ...reading, ...(whole && { whole }) } };
}

/** The same message with the question that a model made of it. A rule that denies either denies both. */
export function withReadingByModel(judged: JudgedMessage, byModel: ReadByModel): JudgedMessage {
  const deniedBy = judged.deniedBy ?? byModel.question.deniedBy;
  return { ...judged, byModel, ...(deniedBy && { deniedBy }) };
}

/** The same message, where a part of it means something denied by another classification than that of its words. */
export function suspectPart<Judged extends JudgedMessage>(
  judged: Judged,
  classification: Classification,
  policy: GovernancePolicy,
): Judged {
  const whole = stronger(judged.plain.whole, suspicionOfWhole(classification, policy));
  return whole === judged.plain.whole ? judged : { ...judged, plain: { ...judged.plain, whole: whole! } };
}

function scoresOf({
  reading,
  classification,
  whole,
  clause,
  leans,
  about,
}: JudgedReading & Partial<Pick<ReadingInContext, "leans" | "about">>): ReadingScores {
  return {
    reading,
    ...(leans !== undefined && { leans }),
    ...(about && { about }),
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
