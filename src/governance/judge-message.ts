import type {
  Classification,
  Classifier,
  DecisionEvidence,
  DecisionThresholds,
  ReadingMeaning,
  ReadingScores,
} from "../domain/decision.ts";
import { isSocialWord } from "../social/social-phrases.ts";
import { recogniseSocialTurn, type SocialTurn } from "../social/social-turn.ts";
import { separateCourtesies } from "../social/without-courtesies.ts";
import { writeOutChatSpeak } from "../text/chat-speak.ts";
import { LANGUAGES } from "../text/languages.ts";
import { wordsOfMessage } from "../text/phrases/message-words.ts";
import { MIN_UNCLEAR_SHARE } from "./denial-gate.ts";
import { withoutCommonAddressParts } from "./disguise/plain-word.ts";
import { isSurelyUndisguised } from "./disguise/surely-undisguised.ts";
import { undisguisedReadings, isGarbled } from "./disguise/undisguise.ts";
import { findDenyRule } from "./find-deny-rule.ts";
import { goesOn, hasSubject, isAgreement, isBareReply, isBrief } from "./follow-up/brevity.ts";
import { MAX_DENIED } from "./follow-up/follow-up.ts";
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
import { type DeniedClause, findDeniedClause } from "./suspicion/clauses.ts";
import { clausePlausibility, plausibilityOf } from "./suspicion/plausibility.ts";
import { classifyBestClause } from "./suspicion/seams.ts";

/**
 * Characters per part in the search for denied clauses in long messages, so that the cost grows linearly. Parts overlap by more than the
 * length of a request.
 */
const PIECE_LENGTH = 1800;
const PIECE_OVERLAP = 200;

/** Steps with short cuts. A test compares them with the same steps without. */
interface JudgingSteps {
  findDeniedClause: typeof findDeniedClause;
  /** Minimum probability of a denied intent at which a part of a message is reported. */
  leastChanceOfClause(thresholds: DecisionThresholds): number;
  undisguisedReadings(text: string, classifier: Classifier): readonly string[];
}

const SHORT_CUTS: JudgingSteps = {
  leastChanceOfClause,
  findDeniedClause,
  undisguisedReadings: (text, classifier) =>
    isSurelyUndisguised(text, (hash) => classifier.knowsHash(hash))
      ? []
      : undisguisedReadings(text, (word) => classifier.knows(word)),
};

/** Below this probability of a denied intent, a part of a message does not affect the decision. */
export function leastChanceOfClause({ deny }: DecisionThresholds): number {
  return Math.min(MIN_UNCLEAR_SHARE * deny, MAX_DENIED);
}

/** The parts with which a text is judged. */
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

/** The part of a text with the highest probability of a denied intent; none if it cannot affect the decision. */
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
 * Judges the request in a text without its small talk. Denied intents are searched for in the whole text, so that a word mistaken for small
 * talk cannot hide one.
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

/** A reply without content: all intents have probability 0. */
function judgeBareReply(text: string, { classifier, policy }: Judging): JudgedMessage {
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
    isAgreement: isAgreement(text),
  };
}

/** The request with abbreviations written out. */
function plainWords(request: string, { texts }: GovernancePolicy, knows: (word: string) => boolean): string {
  const language = LANGUAGES.find((known) => known === texts.language);
  return language === undefined ? request : writeOutChatSpeak(request, language, knows);
}

/** Whether the message asks for a person whom the bot offers. A profile can deny that even if the message asks for something else, too. */
function asksForPerson(
  turn: SocialTurn | undefined,
  asksBeside: true | undefined,
  { social }: GovernancePolicy,
): boolean {
  const asks = turn === undefined ? asksBeside === true : turn.kind === "person";
  return asks && social?.standingOf(socialIntentOf("person")) === "allowed";
}

/**
 * The small talk of a message, if it is any. A word of the bot's examples is not a misspelled greeting ("hall" is not "hello"), and insults
 * are not matched with spelling errors ("price" is not "prick").
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

/** Collects everything that the decision needs from a text. `policy` is compiled for the same classifier. */
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
  const knows = (word: string): boolean => classifier.knows(word);
  const text = withoutCommonAddressParts(input, knows);
  if (isBareReply(text, classifier)) return judgeBareReply(text, judging);
  const { turn, request: asked, asksForPerson: asksBeside } = separateCourtesies(text, policy.addressing);
  const request = plainWords(asked, policy, knows);
  // Calls for the same text follow each other, because the classifier caches only the latest text.
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

/** Longer messages are stories, in which a few unreadable words are not a request. */
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

/** The clearest part of a message that does not match as a whole. */
function clearestClauseOf(
  text: string,
  { classification }: JudgedReading,
  { classifier, policy }: Judging,
): Classification | undefined {
  if (classification.inScope >= policy.thresholds.match) return undefined;
  return classifyBestClause(classifier.scan(text.slice(0, PIECE_LENGTH)), classifier);
}

/** The message with another classification. Earlier suspicion stays: other evidence can deny but never clear. */
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

/** The message with a reading that includes the one before. That reading is also checked for denied intents. */
export function withReadingInContext(
  judged: JudgedMessage,
  reading: Pick<ReadingInContext, "classification" | "leans" | "about" | "bringsWord" | "meaning">,
  policy: GovernancePolicy,
): JudgedMessage {
  const whole = suspicionOfWhole(reading.classification, policy);
  return { ...judged, inContext: { reading: "in-context", ...reading, ...(whole && { whole }) } };
}

/** The message with a question rewritten by a model. A deny rule that matches either applies to both. */
export function withReadingByModel(judged: JudgedMessage, byModel: ReadByModel): JudgedMessage {
  const deniedBy = judged.deniedBy ?? byModel.question.deniedBy;
  return { ...judged, byModel, ...(deniedBy && { deniedBy }) };
}

/** The message with a part that asks for something denied according to a classification other than the word-based one. */
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

/** The part of a judgement that is stored in a receipt; it contains no message text. */
export function evidenceOf(judged: JudgedMessage, policy: GovernancePolicy): DecisionEvidence {
  return {
    thresholds: policy.thresholds,
    readings: readingsOf(judged).map((reading) => scoresOf(reading)),
  };
}
