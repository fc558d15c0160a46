import type { CandidateReceipt } from "../domain/decision.ts";
import type { IntentName } from "../domain/ids.ts";

/** What may answer a message: an intent, or a passage of a document. */
export type Target =
  | { kind: "intent"; intent: IntentName }
  | { kind: "passage"; passage: number; document: string; heading: string };

/** What is known of a candidate before candidates compete. */
export interface CandidateEvidence {
  target: Target;
  /** How near the message is in meaning, alone and behind what was said before; see `nearnessOf`. Absent where it was not encoded. */
  nearness?: { alone: number; inContext?: number };
  /** Of a passage: grams of the message that it has and others lack; 0 to about 1. */
  grams: number;
  /** Share of the message's content words that what it says holds, 0–1. */
  coverage: number;
  /** Of an intent: the chance, 0–1, that the classifier gives it among intents alone. */
  confidence: number;
  /** Whether the turn before was about it. */
  isSubject: boolean;
  /** Whether it stands in the document that the turn before was about. */
  isOfDocument: boolean;
}

/** What is known of a message, beside its candidates. */
export interface MessageEvidence {
  words: number;
  /** The chance, 0–1, that the classifier gives it of asking for any of the intents; absent where there are none. */
  inScope?: number;
  /** The chance, 0–1, that it leans on what was said before; absent where it is read alone. */
  leans?: number;
  /** Whether it is in another language than the bot's. */
  isForeign: boolean;
  /** Whether it may lean on what was said before, and all it brings are words that neither examples nor the texts of candidates have, which may name what is denied. */
  bringsWord?: true;
}

/** What speaks for a candidate, in log odds; the sum says how it stands to the others. */
export interface Speaking {
  meaning: number;
  words: number;
  /** Of a passage, which no classifier knows, the same for all. */
  classifier: number;
  context: number;
}

/** A candidate beside the others. */
export interface WeighedCandidate {
  target: Target;
  /** That it is what was asked for, 0–1. */
  chance: number;
  /** In which reading most speaks for it. */
  reading: CandidateReceipt["reading"];
  speaking: Speaking;
}

/** All that may answer a message, best first; their chances and that of `nothing` add up to 1. */
export interface WeighedCandidates {
  candidates: readonly WeighedCandidate[];
  /** That it asks for nothing of the bot's, 0–1. */
  nothing: number;
  /** Whether what texts mean was weighed, and not their words alone. */
  isMeant: boolean;
  /** As of the message. */
  bringsWord?: true;
}

/** What each signal adds to the log odds; printed by `npm run bench:conversation -- --fit`. */
export interface Coefficients {
  alone: number;
  inContext: number;
  passage: number;
  grams: number;
  coverage: number;
  confidence: number;
  subject: number;
  document: number;
  /** Of the message read alone where it may be read behind another, and for each log odd that it leans on that. */
  besideContext: number;
  leans: number;
  nothing: number;
  length: number;
  nothingBesideContext: number;
  inScope: number;
}

const WITH_MEANING: Coefficients = {
  alone: 1.22,
  inContext: 1.56,
  passage: 0.83,
  grams: 13.1,
  coverage: 2.21,
  confidence: 0.43,
  subject: -0.69,
  document: 0.41,
  besideContext: -4.54,
  leans: -0.77,
  nothing: -5.81,
  length: -1.69,
  nothingBesideContext: -2.04,
  inScope: -0.25,
};

/** Of a message in another language than the bot's: words say nothing. */
const BY_MEANING_ALONE: Coefficients = {
  alone: 1.59,
  inContext: 1.95,
  passage: -0.06,
  grams: 0,
  coverage: 0,
  confidence: 0,
  subject: -1.89,
  document: 1.21,
  besideContext: -3.56,
  leans: -0.41,
  nothing: -10.49,
  length: -1.56,
  nothingBesideContext: -1.53,
  inScope: 0,
};

/** Where messages or passages were not encoded. */
const BY_WORDS: Coefficients = {
  alone: 0,
  inContext: 0,
  passage: 3.78,
  grams: 23.45,
  coverage: 3.23,
  confidence: 1.2,
  subject: 0,
  document: 0,
  besideContext: 0,
  leans: 0,
  nothing: 6.77,
  length: -1.11,
  nothingBesideContext: 0,
  inScope: -0.83,
};

/** Added to confidences before the logarithm, so that an intent is never ruled out. */
const LEAST_CONFIDENCE = 0.002;
const LEAST_CHANCE = 0.001;
/** Words from which on a message is as long as any. */
const LONG = 12;

/** Lets candidates compete, each in every reading: chances by their log odds. Pure. */
export function weighCandidates(
  evidence: readonly CandidateEvidence[],
  message: MessageEvidence,
): WeighedCandidates {
  const isMeant = evidence.every(({ nearness }) => nearness !== undefined);
  const coefficients = coefficientsFor(evidence, isMeant, message);
  const read = evidence.map((candidate) => ({
    candidate,
    ...speakingFor(candidate, message, coefficients),
  }));
  const none = nothingOf(message, coefficients);
  const odds = read.map(({ alone, inContext }) => [
    sumOf(alone),
    inContext === undefined ? -Infinity : sumOf(inContext),
  ]);
  const greatest = Math.max(none, ...odds.flat());
  const powers = odds.map((pair) => pair.map((value) => Math.exp(value - greatest)));
  const power = Math.exp(none - greatest);
  const total = powers.flat().reduce((sum, value) => sum + value, power);
  const candidates = read.map(({ candidate, alone, inContext }, i): WeighedCandidate => {
    const [plain, behind] = powers[i]! as [number, number];
    const isBehind = inContext !== undefined && behind > plain;
    return {
      target: candidate.target,
      chance: (plain + behind) / total,
      reading: isBehind ? "in-context" : "plain",
      speaking: isBehind ? inContext : alone,
    };
  });
  return {
    candidates: candidates.toSorted((left, right) => right.chance - left.chance),
    nothing: power / total,
    isMeant,
    ...(message.bringsWord && { bringsWord: true as const }),
  };
}

/** Of a text that shares more of a message's words, it is no other language, whatever it looks like. */
const FOREIGN_COVERAGE = 0.5;

function coefficientsFor(
  evidence: readonly CandidateEvidence[],
  isMeant: boolean,
  { isForeign }: MessageEvidence,
): Coefficients {
  if (!isMeant) return BY_WORDS;
  const sharesWords = evidence.some(({ coverage }) => coverage >= FOREIGN_COVERAGE);
  return isForeign && !sharesWords ? BY_MEANING_ALONE : WITH_MEANING;
}

/** What speaks for a candidate in each reading; the sums are linear in the coefficients. */
export function speakingFor(
  candidate: CandidateEvidence,
  message: MessageEvidence,
  coefficients: Coefficients,
): { alone: Speaking; inContext: Speaking | undefined } {
  const nearness = candidate.nearness?.inContext;
  return {
    alone: speakingAlone(candidate, message, coefficients),
    inContext: nearness === undefined ? undefined : speakingInContext(candidate, nearness, coefficients),
  };
}

function speakingAlone(
  candidate: CandidateEvidence,
  { leans }: MessageEvidence,
  coefficients: Coefficients,
): Speaking {
  const context = leans === undefined ? 0 : coefficients.besideContext + coefficients.leans * logOdds(leans);
  const isIntent = candidate.target.kind === "intent";
  return {
    meaning: coefficients.alone * (candidate.nearness?.alone ?? 0),
    words: wordsOf(candidate, coefficients),
    classifier: isIntent ? coefficients.confidence * knownConfidence(candidate) : coefficients.passage,
    context,
  };
}

function speakingInContext(
  candidate: CandidateEvidence,
  nearness: number,
  coefficients: Coefficients,
): Speaking {
  return {
    meaning: coefficients.inContext * nearness,
    words: wordsOf(candidate, coefficients),
    classifier: candidate.target.kind === "intent" ? 0 : coefficients.passage,
    context:
      (candidate.isSubject ? coefficients.subject : 0) + (candidate.isOfDocument ? coefficients.document : 0),
  };
}

function wordsOf({ grams, coverage }: CandidateEvidence, coefficients: Coefficients): number {
  return coefficients.grams * grams + coefficients.coverage * coverage;
}

function knownConfidence({ confidence }: CandidateEvidence): number {
  return Math.log(confidence + LEAST_CONFIDENCE) - Math.log(LEAST_CONFIDENCE);
}

/** Log odds that a message asks for nothing of the bot's; linear in the coefficients. */
export function nothingOf({ words, inScope, leans }: MessageEvidence, coefficients: Coefficients): number {
  return (
    coefficients.nothing +
    coefficients.length * (Math.min(words, LONG) / LONG) +
    (inScope === undefined ? 0 : coefficients.inScope * logOdds(inScope)) +
    (leans === undefined ? 0 : coefficients.nothingBesideContext)
  );
}

export function sumOf({ meaning, words, classifier, context }: Speaking): number {
  return meaning + words + classifier + context;
}

function logOdds(chance: number): number {
  const bounded = Math.min(1 - LEAST_CHANCE, Math.max(LEAST_CHANCE, chance));
  return Math.log(bounded / (1 - bounded));
}
