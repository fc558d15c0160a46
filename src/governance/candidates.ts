import type { CandidateReceipt } from "../domain/decision.ts";
import type { IntentName } from "../domain/ids.ts";

/** A candidate for an answer: an intent or a passage of a document. */
export type Target =
  | { kind: "intent"; intent: IntentName }
  | { kind: "passage"; passage: number; document: string; heading: string };

/** The evidence for a candidate before the competition. */
export interface CandidateEvidence {
  target: Target;
  /**
   * Closeness of meaning of the message alone, and of the message together with the earlier ones; see `nearnessOf`. Absent if the message
   * was not encoded.
   */
  nearness?: { alone: number; inContext?: number };
  /** For a passage: weighted share of the message's n-grams that it has and other passages lack; 0 to about 1. */
  grams: number;
  /** Share of the message's content words that occur in its text, 0–1. */
  coverage: number;
  /** For an intent: the classifier's probability among intents, 0–1. */
  confidence: number;
  /** Whether the previous turn was about it. */
  isSubject: boolean;
  /** Whether it is in the document that the previous turn was about. */
  isOfDocument: boolean;
}

/** The evidence of a message as a whole. */
export interface MessageEvidence {
  words: number;
  /** The classifier's probability (0–1) that it asks for any intent; absent without intents. */
  inScope?: number;
  /** Probability (0–1) that it depends on the message before; absent if it is read alone. */
  leans?: number;
  /** Whether it is in a different language than the bot's. */
  isForeign: boolean;
  /**
   * Set if the message may depend on the previous one and has content words, none of which is in an example or a candidate's text: they may
   * name something denied.
   */
  bringsWord?: true;
}

/** The terms of a candidate's log odds; candidates are compared by their sum. */
export interface LogOdds {
  meaning: number;
  words: number;
  /** For a passage, a constant, because the classifier knows only intents. */
  classifier: number;
  context: number;
}

/** A candidate after the competition. */
export interface WeighedCandidate {
  target: Target;
  /** Probability (0–1) that it is what was asked for. */
  chance: number;
  /** The reading with the strongest evidence. */
  reading: CandidateReceipt["reading"];
  speaking: LogOdds;
}

/** All candidates, best first. Their probabilities and `nothing` sum to 1. */
export interface WeighedCandidates {
  candidates: readonly WeighedCandidate[];
  /** Probability (0–1) that nothing of the bot is asked for. */
  nothing: number;
  /** Whether vectors were compared. False if any candidate was not encoded: words alone then decide. */
  usesMeaning: boolean;
  /** As in the message's evidence. */
  bringsWord?: true;
}

/** Weight of each signal in log odds. Fitted by `npm run bench:conversation -- --fit`, on bots that the encoder has not seen. */
export interface Coefficients {
  alone: number;
  inContext: number;
  passage: number;
  grams: number;
  coverage: number;
  confidence: number;
  subject: number;
  document: number;
  /** Constant for the reading alone of a message that may depend on the previous one. */
  besideContext: number;
  /** Factor of the log odds of that dependence. */
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

/** For a message in a different language than the bot's: words that it shares with a candidate are no evidence. */
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

/** For messages or passages that were not encoded. */
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

/** Added to a confidence before its logarithm, so that no intent is excluded. Chosen by hand. */
const MIN_CONFIDENCE = 0.002;
/** Probabilities are kept this far from 0 and 1, which bounds their log odds to ±6.9. Chosen by hand. */
const MIN_CHANCE = 0.001;
/** Minimum number of words at which a message counts as long. Chosen by hand. */
const LONG = 12;

/** The probabilities of all candidates and of `nothing`: one softmax over their log odds in both readings. Pure. */
export function weighCandidates(
  evidence: readonly CandidateEvidence[],
  message: MessageEvidence,
): WeighedCandidates {
  const usesMeaning = evidence.every(({ nearness }) => nearness !== undefined);
  const coefficients = coefficientsFor(evidence, usesMeaning, message);
  const read = evidence.map((candidate) => ({
    candidate,
    ...logOddsOf(candidate, message, coefficients),
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
    usesMeaning,
    ...(message.bringsWord && { bringsWord: true as const }),
  };
}

/**
 * Minimum share of common words at which a message is not in a different language, whatever the language detection says. Chosen by hand.
 */
const FOREIGN_COVERAGE = 0.5;

function coefficientsFor(
  evidence: readonly CandidateEvidence[],
  usesMeaning: boolean,
  { isForeign }: MessageEvidence,
): Coefficients {
  if (!usesMeaning) return BY_WORDS;
  const sharesWords = evidence.some(({ coverage }) => coverage >= FOREIGN_COVERAGE);
  return isForeign && !sharesWords ? BY_MEANING_ALONE : WITH_MEANING;
}

/** The evidence for a candidate in each reading; the sums are linear in the coefficients. */
export function logOddsOf(
  candidate: CandidateEvidence,
  message: MessageEvidence,
  coefficients: Coefficients,
): { alone: LogOdds; inContext: LogOdds | undefined } {
  const nearness = candidate.nearness?.inContext;
  return {
    alone: logOddsAlone(candidate, message, coefficients),
    inContext: nearness === undefined ? undefined : logOddsInContext(candidate, nearness, coefficients),
  };
}

function logOddsAlone(
  candidate: CandidateEvidence,
  { leans }: MessageEvidence,
  coefficients: Coefficients,
): LogOdds {
  const context = leans === undefined ? 0 : coefficients.besideContext + coefficients.leans * logOdds(leans);
  const isIntent = candidate.target.kind === "intent";
  return {
    meaning: coefficients.alone * (candidate.nearness?.alone ?? 0),
    words: wordsOf(candidate, coefficients),
    classifier: isIntent ? coefficients.confidence * knownConfidence(candidate) : coefficients.passage,
    context,
  };
}

function logOddsInContext(
  candidate: CandidateEvidence,
  nearness: number,
  coefficients: Coefficients,
): LogOdds {
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
  return Math.log(confidence + MIN_CONFIDENCE) - Math.log(MIN_CONFIDENCE);
}

/** Log odds that nothing of the bot is asked for; linear in the coefficients. */
export function nothingOf({ words, inScope, leans }: MessageEvidence, coefficients: Coefficients): number {
  return (
    coefficients.nothing +
    coefficients.length * (Math.min(words, LONG) / LONG) +
    (inScope === undefined ? 0 : coefficients.inScope * logOdds(inScope)) +
    (leans === undefined ? 0 : coefficients.nothingBesideContext)
  );
}

export function sumOf({ meaning, words, classifier, context }: LogOdds): number {
  return meaning + words + classifier + context;
}

function logOdds(chance: number): number {
  const bounded = Math.min(1 - MIN_CHANCE, Math.max(MIN_CHANCE, chance));
  return Math.log(bounded / (1 - bounded));
}
