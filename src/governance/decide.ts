import type { Suggestion } from "../domain/chat.ts";
import {
  type Classification,
  type Decision,
  type DecisionRule,
  isMatch,
  type Permission,
  type Restriction,
} from "../domain/decision.ts";
import { type IntentName, KNOWLEDGE_INTENT } from "../domain/ids.ts";
import type { Standing } from "../domain/intent-pattern.ts";
import type { SocialKind } from "../domain/texts.ts";
import type { GivenData } from "../text/given-data.ts";
import {
  answerWith,
  byOnePart,
  intentOf,
  namesNothingNew,
  ruleOf,
  SURE_OF_NEW_WORD,
} from "./answer-candidates.ts";
import type { Target, WeighedCandidates } from "./candidates.ts";
import { acquits, type Allowance, chooseAnswer, isAmong, withoutTargets } from "./choose-answer.ts";
import { denialOf, deniedByRule, isUnclear, UNCLEAR_SHARES, unclearBesideDocuments } from "./denial-gate.ts";
import {
  agreedIntent,
  choiceOf,
  inheritedIntent,
  MAX_PAUSE_MS,
  type PreviousTurn,
} from "./follow-up/follow-up.ts";
import { LEANS } from "./follow-up/leaning.ts";
import { askedBy, type JudgedMessage } from "./judged-message.ts";
import type { GovernancePolicy } from "./policy.ts";
import { type CompiledProfile, OPEN_PROFILE } from "./profile/capability-profile.ts";
import { isSocialIntent, socialIntentOf, type SocialPolicy } from "./social-policy.ts";
import { allowedAmong, closestAllowed, offersOf, suggestionOf, withFirst } from "./suggestions.ts";
import { decideTwoQuestions, unansweredPart } from "./two-questions.ts";

/** A judged message with everything its decision depends on. */
export interface DecisionInput {
  judged: JudgedMessage;
  policy: GovernancePolicy;
  /** Absent in the first turn of a conversation. */
  previous?: PreviousTurn;
  /**
   * The candidates for the message, and for each part if it has two; absent if the documents were not searched, so that only intents count.
   */
  weighed?: readonly WeighedCandidates[];
  /** If a model rewrote the message, `weighed` belongs to the rewritten question and this to the original text. */
  asTyped?: readonly WeighedCandidates[];
  /** The candidates that would repeat the answer just given. */
  said?: readonly Target[];
  /** The likely intended intents, if the message says that the answer before was wrong. */
  instead?: Classification;
  /** The data in the message, if it consists of data only. */
  given?: GivenData;
  /** Set if the turn before asked whether to forward the data. */
  asksToPassOn?: true;
}

/** Minimum confidence at which a follow-up is matched without the message before it. Chosen by hand. */
const SURE_OF_ITSELF = 0.75;
/** Minimum probability at which a candidate counts as asked for; if the profile does not allow it, it is refused. Chosen by hand. */
const CLEARLY_ASKED = 0.5;

/** A classification with the rule by which it matched. */
type Match = [Classification, DecisionRule];

function byProfile(intent: IntentName, rule: DecisionRule, standing: Standing): Permission | Restriction {
  if (standing === "allowed") return { kind: "allowed", intent, rule };
  const reason = standing === "denied" ? "DENY_LIST" : "NOT_IN_ALLOW_LIST";
  return { kind: "restricted", reason, intent, rule, suggestions: [] };
}

/** The match of a message alone or together with the earlier one; if it depends on that, the one with the higher confidence. */
function matched(judged: JudgedMessage, threshold: number): Match | undefined {
  const { inContext } = judged;
  const alone = matchedAlone(judged, threshold);
  if (inContext === undefined || !isMatch(inContext.classification, threshold)) return alone;
  const leaning: Match = [inContext.classification, "follow-up"];
  if (alone === undefined) return leaning;
  return inContext.leans >= LEANS && leaning[0].confidence > alone[0].confidence ? leaning : alone;
}

/**
 * The first reading that matches as a whole, the original before undisguised ones; else a part of the message that does. If one of two
 * parts asks for a person, that part.
 */
function matchedAlone(judged: JudgedMessage, threshold: number): Match | undefined {
  const whole = [judged.plain, ...judged.undisguised].find(({ classification }) =>
    isMatch(classification, threshold),
  );
  if (whole !== undefined) return [whole.classification, "best-intent"];
  const halves = judged.asksForPerson ? [] : (judged.parts?.parts ?? []);
  const parts = [...halves.map(({ classification }) => classification), judged.clearestClause];
  const part = parts.find(
    (found) => found !== undefined && isMatch(found, threshold) && isBorneOut(found, judged),
  );
  return part && [part, "clearest-clause"];
}

/** Whether the meaning of the whole message, if known, is compatible with that of its clearest part. */
function isBorneOut(
  { scores: [clearest] }: Classification,
  { plain, deniedByOthers }: JudgedMessage,
): boolean {
  if (deniedByOthers === undefined) return true;
  return plain.classification.scores[0]?.intent === clearest?.intent;
}

function notUnderstood(rule: DecisionRule, suggestions: readonly Suggestion[]): Restriction {
  return { kind: "restricted", reason: "no_intent_match", rule, suggestions };
}

/** An intent of an earlier turn, if it still exists and is allowed: the bot may have been published again since. */
function takenUp(
  intent: IntentName | undefined,
  { intents }: GovernancePolicy,
  profile: CompiledProfile,
  rule: DecisionRule = "follow-up",
): Permission | undefined {
  if (intent === undefined || !intents.includes(intent) || profile.standingOf(intent) !== "allowed") {
    return undefined;
  }
  return { kind: "allowed", intent, rule };
}

/** The intent that the visitor chose among those offered by the turn before. Two are answered together. */
function chosen({ judged, policy, previous }: DecisionInput, profile: CompiledProfile): Decision | undefined {
  if (judged.isAgreement) return undefined;
  const choice = choiceOf(judged.text, previous, policy.texts);
  if (choice === undefined) return undefined;
  const isBareReply = judged.isBrief && judged.plain.classification.scores.length === 0;
  // With a single choice, "please" or "sure?" is not a yes; `isAgreement` decides.
  if (choice.kind === "some" && isBareReply && previous?.offered.length === 1) return undefined;
  if (choice.kind === "none") return notUnderstood("no-choice", []);
  const taken = choice.intents.flatMap((intent) => takenUp(intent, policy, profile, "choice") ?? []);
  const [first, ...others] = taken;
  if (first === undefined || others.length === 0) return first;
  const areJoinable = taken.every(({ intent }) => policy.joinable.has(intent));
  return areJoinable ? { ...first, alsoIntents: others.map(({ intent }) => intent) } : first;
}

/** Whether several choices are open, so that "yes" or "ok" selects none. */
function isAsked(previous: PreviousTurn | undefined): previous is PreviousTurn {
  return previous !== undefined && previous.offered.length > 1 && previous.ageMs <= MAX_PAUSE_MS;
}

/** Whether the turn before answered a request, so that "that's wrong" is about the answer. */
function hasAnswered(previous: PreviousTurn | undefined): boolean {
  if (!previous?.wasAllowed || previous.ageMs > MAX_PAUSE_MS) return false;
  return previous.intent !== undefined && !isSocialIntent(previous.intent);
}

function builtIn(kind: SocialKind, social: SocialPolicy, profile: CompiledProfile): Permission | Restriction {
  const intent = socialIntentOf(kind);
  return byProfile(intent, "social", profile === OPEN_PROFILE ? "allowed" : social.standingOf(intent));
}

/** Asking for a person counts whatever the question before was. The bot's own intent for it is used if there is one. */
function asWishForPerson(social: SocialPolicy, profile: CompiledProfile): Permission | Restriction {
  const own = social.ownIntents.get("person");
  return own === undefined
    ? builtIn("person", social, profile)
    : byProfile(own, "best-intent", profile.standingOf(own));
}

/** A greeting, thanks or similar; the bot's own intent for it is used if there is one. */
function asSocialTurn(
  input: DecisionInput,
  match: Match | undefined,
  profile: CompiledProfile,
): Decision | undefined {
  const { judged, policy, previous } = input;
  const { social: turn, isExample } = judged;
  if (policy.social === undefined || turn === undefined || isExample) return undefined;
  if (turn.kind === "acknowledge" && isAsked(previous)) return notUnderstood("choice", previous.offered);
  if (turn.kind === "person") return asWishForPerson(policy.social, profile);
  const own = policy.social.ownIntents.get(turn.kind);
  if (own !== undefined) return byProfile(own, "best-intent", profile.standingOf(own));
  const mayAnswer = previous?.offered.length === 1 || inheritedIntent(judged, previous) !== undefined;
  if (turn.says !== undefined && previous?.asks && mayAnswer) return undefined;
  if (turn.kind === "acknowledge" && turn.says === "no" && hasAnswered(previous)) {
    return notUnderstood("no-choice", []);
  }
  const decision = builtIn(turn.kind, policy.social, profile);
  if (decision.kind === "restricted") return decision;
  if (turn.kind === "repair") return asRepair(decision, match, input, profile);
  if (turn.kind !== "help") return decision;
  const suggestions = offersOf(policy, profile);
  return suggestions.length > 0 ? { ...decision, suggestions } : notUnderstood("social", []);
}

/** Offers other likely intents. A message that clearly matches an intent ("I want to complain") is a request instead. */
function asRepair(
  decision: Permission,
  match: Match | undefined,
  { policy, instead }: DecisionInput,
  profile: CompiledProfile,
): Permission | undefined {
  if (match !== undefined && match[0].confidence >= SURE_OF_ITSELF) return undefined;
  const suggestions = instead === undefined ? [] : closestAllowed(instead, policy, profile);
  return suggestions.length > 0 ? { ...decision, suggestions } : decision;
}

/**
 * If nothing matched, in this order: the earlier intent for a follow-up, asking for a person, a clarifying question, the default intent,
 * nothing.
 */
function withoutMatch(input: DecisionInput, profile: CompiledProfile): Decision {
  const { judged, policy } = input;
  const followUp = asFollowUp(input, profile);
  if (followUp?.kind === "allowed") return followUp;
  if (judged.asksForPerson && policy.social !== undefined) return asWishForPerson(policy.social, profile);
  if (followUp !== undefined) return followUp;
  return notAnswered(policy, profile, closestAllowed(judged.plain.classification, policy, profile));
}

/** A clarifying question if something is close; else the default intent or nothing. */
function notAnswered(
  policy: GovernancePolicy,
  profile: CompiledProfile,
  close: readonly Suggestion[],
): Decision {
  if (close.length === 0 && policy.defaultIntent !== undefined) {
    return byProfile(policy.defaultIntent, "default-intent", profile.standingOf(policy.defaultIntent));
  }
  return notUnderstood("no-match", close);
}

/** The best candidates, or the response for no match. */
function byCandidates(
  { judged, policy, said = [] }: DecisionInput,
  all: readonly WeighedCandidates[],
  profile: CompiledProfile,
): Decision {
  const [weighed, ...ofParts] =
    said.length === 0 ? all : [withoutTargets(all[0]!, (target) => isAmong(target, said))];
  // Documents that the profile does not allow must not displace an intent.
  const isSilent = ({ kind }: Target) =>
    kind === "passage" && profile.standingOf(KNOWLEDGE_INTENT) !== "allowed";
  const [whole, ...parts] = [weighed!, ...ofParts].map((one) => withoutTargets(one, isSilent));
  const allowance: Allowance = {
    ...(policy.leastChance !== undefined && { least: policy.leastChance }),
    isAllowed: (target) => profile.standingOf(intentOf(target)) === "allowed",
    mayJoin: (targets) => targets.every((target) => policy.joinable.has(intentOf(target))),
  };
  const choice = chooseAnswer(whole!, parts, allowance);
  if (choice.kind === "answer" && namesNothingNew(choice, whole!)) return answerWith(choice, whole!);
  const part = said.length === 0 ? byOnePart(judged, parts, allowance) : undefined;
  if (part !== undefined) return part;
  if (judged.asksForPerson && policy.social !== undefined) return asWishForPerson(policy.social, profile);
  if (said.length > 0) return notUnderstood("said-before", []);
  const [best] = weighed!.candidates;
  if (best !== undefined && best.chance >= CLEARLY_ASKED) {
    const intent = intentOf(best.target);
    const standing = profile.standingOf(intent);
    if (standing !== "allowed") return byProfile(intent, ruleOf(best), standing);
  }
  const intents = choice.kind === "ask" ? choice.intents : [];
  return notAnswered(
    policy,
    profile,
    intents.map((intent) => suggestionOf(intent, policy)),
  );
}

/**
 * Continues the earlier intent. A message with an unknown word is not continued, because the word may name something denied ("and xanax?");
 * the visitor gets a clarifying question instead.
 */
function asFollowUp(
  { judged, policy, previous }: DecisionInput,
  profile: CompiledProfile,
): Decision | undefined {
  const inherited = inheritedIntent(judged, previous);
  const followUp = takenUp(inherited?.intent, policy, profile);
  if (followUp === undefined || inherited!.isSure) return followUp;
  const others = closestAllowed(judged.plain.classification, policy, profile);
  return notUnderstood("follow-up", withFirst(suggestionOf(followUp.intent, policy), others));
}

/** A yes to the question whether to forward data counts as asking for a person. */
function asPassedOn(
  { judged, policy, asksToPassOn }: DecisionInput,
  profile: CompiledProfile,
): Decision | undefined {
  const saysYes = judged.isAgreement || judged.social?.says === "yes";
  return asksToPassOn && saysYes && policy.social ? asWishForPerson(policy.social, profile) : undefined;
}

/**
 * Data that no action looks up. These take precedence: an intent whose words say what the data are for, unless it gave the answer before,
 * or an intent with such data as an example; documents that answer, for example for a product number; and the default intent.
 */
function asGivenData(
  { policy, previous, given, weighed }: DecisionInput,
  match: Match | undefined,
): Restriction | undefined {
  if (given === undefined || policy.defaultIntent !== undefined) return undefined;
  const best = weighed?.[0]!.candidates[0];
  if (best?.target.kind === "passage" && best.chance >= CLEARLY_ASKED) return undefined;
  const intent = match?.[0].scores[0]?.intent;
  if (intent !== undefined && policy.takesData.has(intent)) return undefined;
  const isNew = intent !== undefined && intent !== previous?.intent;
  return given.saysWhat && isNew ? undefined : notUnderstood("data", []);
}

/**
 * Contact data alone are no request, even if they resemble an intent such as "what is her number". No intent answers them, denied or not.
 */
function asGivenContact(input: DecisionInput, { intent }: Restriction): Restriction | undefined {
  const { given, policy } = input;
  if (intent !== undefined && policy.takesData.has(intent)) return undefined;
  const isContact = given?.data.every(({ kind }) => kind === "phone" || kind === "e-mail");
  return isContact === true ? asGivenData(input, undefined) : undefined;
}

/** A single word shared by several intents does not tell which one is meant. */
function sharedWord({ judged, policy }: DecisionInput, profile: CompiledProfile): Restriction | undefined {
  if (judged.sharedBy === undefined || judged.isExample) return undefined;
  const suggestions = allowedAmong(judged.sharedBy, policy, profile);
  return suggestions.length > 1 ? notUnderstood("shared-word", suggestions) : undefined;
}

/** The decision regardless of denied intents. */
function asked(input: DecisionInput, match: Match | undefined, profile: CompiledProfile): Decision {
  const { judged, policy, previous, weighed } = input;
  const ruled =
    takenUp(agreedIntent(judged, previous), policy, profile) ??
    asPassedOn(input, profile) ??
    asSocialTurn(input, match, profile) ??
    asGivenData(input, match) ??
    (weighed ? undefined : decideTwoQuestions(judged.parts, policy, profile)) ??
    sharedWord(input, profile);
  if (ruled !== undefined) return ruled;
  if (weighed !== undefined) return byCandidates(input, weighed, profile);
  if (match === undefined) return withoutMatch(input, profile);
  const [classification, rule] = match;
  const isRead = judged.inContext !== undefined;
  const followUp =
    !isRead && classification.confidence < SURE_OF_ITSELF ? asFollowUp(input, profile) : undefined;
  if (followUp !== undefined) return followUp;
  const { intent } = classification.scores[0]!;
  const decision = byProfile(intent, rule, profile.standingOf(intent));
  if (decision.kind === "restricted") return decision;
  const isRepeated = rule === "follow-up" && intent === previous?.intent;
  if (isRepeated && judged.inContext?.bringsWord && classification.confidence < SURE_OF_NEW_WORD)
    return notUnderstood("follow-up", withFirst(suggestionOf(intent, policy), []));
  const unanswered = policy.joinable.has(intent) ? unansweredPart(judged.parts, intent) : undefined;
  return unanswered === undefined ? decision : { ...decision, unanswered };
}

function enforce(input: DecisionInput): Decision {
  const { judged, policy, weighed, asTyped } = input;
  const { profile, thresholds } = policy;
  if (judged.deniedBy !== undefined) return deniedByRule(judged.deniedBy);
  const choice = chosen(input, profile);
  if (choice !== undefined) return choice;
  const heard = [{ judged, isAcquitted: isAcquitted(asTyped ?? weighed, profile) }];
  const question = askedBy(judged);
  if (question !== judged) heard.push({ judged: question, isAcquitted: isAcquitted(weighed, profile) });
  for (const one of heard) {
    const denial = denialOf(one.judged, policy, one.isAcquitted);
    if (denial !== undefined) return asGivenContact(input, denial) ?? denial;
  }
  const match = matched(question, thresholds.match);
  const decision = asked({ ...input, judged: question }, match, profile);
  if (decision.kind === "restricted") return decision;
  const bound = unclearBound(decision, input);
  const taken = match?.[0] ?? (weighed && question.plain.classification);
  if (taken === undefined || bound === undefined) return decision;
  return heard.some((one) => one.judged.isGarbled || (!one.isAcquitted && isUnclear(one.judged, bound)))
    ? notUnderstood("unclear", closestAllowed(taken, policy, profile))
    : decision;
}

/** Whether the best candidate for a text is allowed with high probability; false without candidates. */
function isAcquitted(weighed: readonly WeighedCandidates[] | undefined, profile: CompiledProfile): boolean {
  const standingOf = (target: Target) => profile.standingOf(intentOf(target));
  return (
    weighed !== undefined &&
    acquits(
      weighed,
      (target) => standingOf(target) === "denied",
      (target) => standingOf(target) === "allowed",
    )
  );
}

/** Minimum probability of a denied intent at which an answer by this rule is withheld, whatever the meaning; undefined if never. */
function unclearBound(decision: Permission, { policy, weighed }: DecisionInput): number | undefined {
  const { deny } = policy.thresholds;
  if (decision.rule === "knowledge") return unclearBesideDocuments(deny, chanceOfAnswer(decision, weighed!));
  const share = UNCLEAR_SHARES[decision.rule];
  return share === undefined ? undefined : share * deny;
}

/** Probability of the first passage in the answer, for the part of the message that it answers best. */
function chanceOfAnswer({ passages }: Permission, weighed: readonly WeighedCandidates[]): number {
  const chances = weighed.map(
    ({ candidates }) =>
      candidates.find(({ target }) => target.kind === "passage" && target.passage === passages?.[0])
        ?.chance ?? 0,
  );
  return Math.max(...chances);
}

/** Answers as if every intent were allowed, and records what enforcement would have done. */
function observe(input: DecisionInput): Decision {
  const { judged, policy } = input;
  const question = askedBy(judged);
  const observed =
    chosen(input, OPEN_PROFILE) ??
    asked({ ...input, judged: question }, matched(question, policy.thresholds.match), OPEN_PROFILE);
  const enforced = enforce(input);
  if (observed.kind === "restricted" || enforced.kind === "allowed") return observed;
  return { ...observed, wouldRestrict: enforced };
}

/**
 * Decides whether and how the bot answers a message. A term or pattern of the profile denies it in any case. A denied intent that is
 * plausible in any part and any reading of the message denies it, unless something allowed was asked for with high probability, or the
 * message chooses among intents that the bot offered. Otherwise the first of these applies: a yes to a clarifying question, or to
 * forwarding data; small talk; data that no action looks up; a single word shared by several intents. Then, if the bot has documents,
 * intents and passages compete (`byCandidates`). Without documents: two questions at once; the best intent, if it matched; the earlier
 * intent, for a follow-up; a clarifying question, if allowed intents are close; the default intent. Pure.
 */
export function decide(input: DecisionInput): Decision {
  return input.policy.mode === "observe" ? observe(input) : enforce(input);
}
