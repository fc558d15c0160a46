import type { TextScan } from "../../domain/decision.ts";
import { leadForChance, type Leads, type Standings } from "./plausibility.ts";
import { stretchesBetweenSeams } from "./seams.ts";

/** The stretch of a message with the strongest evidence of a denied intent. */
export interface DeniedClause extends Leads {
  /** Its tokens, from `from` up to `to`. */
  from: number;
  to: number;
  /** Index of the intent. */
  intent: number;
}

/** Tokens up to which all n²/2 stretches are scored: 300 at most. */
export const ALL_STRETCHES_UP_TO = 24;
/** Lengths of the stretches scored in longer messages: most requests in the data sets have 3 to 18 words. */
export const LENGTHS = [3, 5, 8, 12, 18];
/** Neighbouring stretches overlap by two thirds; above this length by half, to limit the cost. */
export const LONG = 60;

/**
 * How the lead of a stretch is computed: the denied intent's score minus the best allowed one's, times `length ** lengthPower`, plus
 * `restWeight` times what the rest of the message gains in score without the stretch. The constants were chosen together by `bun
 * test/bench/governance/run.ts tuning`, for smuggled requests and for two allowed requests in one message.
 */
export interface StretchKind {
  lead: "atSeams" | "anywhere";
  /** Short stretches lead by chance more often, so length counts; less so for stretches between seams. */
  lengthPower: number;
  restWeight: number;
  /** Cache of `length ** lengthPower` by length. */
  worths: number[];
  /** Minimum score of the denied intent; without it, fragments between commas would count. */
  leastScore: number;
  /** Factor for a lead when the stretch to report is chosen; higher between seams. */
  rank: number;
}

export const BETWEEN_SEAMS: StretchKind = {
  lead: "atSeams",
  lengthPower: 0.25,
  worths: [],
  restWeight: 1,
  leastScore: 0.25,
  rank: 1.5,
};
export const ANYWHERE: StretchKind = {
  lead: "anywhere",
  lengthPower: 0.5,
  worths: [],
  restWeight: 2,
  leastScore: -Infinity,
  rank: 1,
};

/** Examples score 1 on average. Scores are capped at this value, because higher ones mean no more. */
export const CLEAR_SCORE = 1.25;
/** Scores are limited below at this value: no evidence for any intent; lower scores are noise. */
export const NO_SCORE = -0.25;

/** Scores of the whole message, and the clauses that matter. */
export interface ClauseInterest {
  /** Probability that the whole message asks for something denied. */
  whole: number;
  /** Clauses with a lower probability do not matter; the search ends when no other can exist. */
  leastChance: number;
}

/** Buffer for the scores of one stretch. */
let scratch = new Float32Array(64);

/** Scores stretches of a message and keeps the best. */
class ClauseSearch {
  readonly found: DeniedClause = { from: 0, to: 0, intent: -1, atSeams: -Infinity, anywhere: -Infinity };
  readonly #scan: TextScan;
  readonly #standings: Standings;
  readonly #scores: Float32Array;
  readonly #intentCount: number;
  readonly #whole: number;
  /** Intents scored first: the denied ones, and the allowed one with the highest score for the whole message. */
  readonly #first: readonly number[];
  readonly #likeliest: number | undefined;
  /** Cached scores of the words before and after some positions. */
  #beginnings: number[] | undefined;
  #ends: number[] | undefined;
  #best = -Infinity;
  /** Stretches with a smaller lead do not matter. */
  #leastAnywhere = -Infinity;

  constructor(scan: TextScan, standings: Standings, intentCount: number) {
    this.#scan = scan;
    this.#standings = standings;
    if (scratch.length < intentCount) scratch = new Float32Array(2 * intentCount);
    this.#scores = scratch;
    this.#intentCount = intentCount;
    this.#whole = Math.min(CLEAR_SCORE, this.#bestScore(0, scan.length));
    this.#likeliest = likeliestOf(this.#scores, standings.allowed);
    this.#first = this.#likeliest === undefined ? standings.denied : [...standings.denied, this.#likeliest];
  }

  /** Call after all stretches between seams. @returns whether any other stretch can matter. */
  mayFindMore({ leastChance, whole }: ClauseInterest): boolean {
    this.#leastAnywhere = leadForChance(leastChance, this.found.atSeams, whole);
    return this.#leastAnywhere < Infinity;
  }

  consider(from: number, to: number, kind: StretchKind): void {
    const { denied, allowed } = this.#standings;
    const scores = this.#scores;
    this.#scan.score(from, to, scores, this.#first);
    let intent = denied[0]!;
    for (let i = 1; i < denied.length; i++) if (scores[denied[i]!]! > scores[intent]!) intent = denied[i]!;
    const score = scores[intent]!;
    if (score < kind.leastScore) return;
    const worth = worthOf(to - from, kind);
    // A stretch that cannot beat the best one even with the best possible rest, and compared with only one allowed intent, is skipped.
    const least = kind === ANYWHERE ? Math.max(this.found.anywhere, this.#leastAnywhere) : this.found.atSeams;
    const most = kind.restWeight * (CLEAR_SCORE - this.#whole);
    const rival = this.#likeliest === undefined ? NO_SCORE : Math.max(NO_SCORE, scores[this.#likeliest]!);
    if ((score - rival) * worth + most <= least) return;
    this.#scan.score(from, to, scores, allowed);
    let lead = (score - greatestOf(scores, allowed)) * worth;
    if (lead + most <= least) return;
    lead += kind.restWeight * (Math.min(CLEAR_SCORE, this.#restScore(from, to)) - this.#whole);
    this.#offer(from, to, intent, lead, kind);
  }

  #offer(from: number, to: number, intent: number, lead: number, kind: StretchKind): void {
    const { found } = this;
    if (lead <= found[kind.lead]) return;
    found[kind.lead] = lead;
    if (lead * kind.rank <= this.#best) return;
    this.#best = lead * kind.rank;
    [found.from, found.to, found.intent] = [from, to, intent];
  }

  /**
   * Scores of the words before and after a stretch. Each side is weighted by the square root of its share of these words, and the two are
   * combined as the root of the sum of squares, so that two equally clear halves count as much as one whole.
   */
  #restScore(from: number, to: number): number {
    const { length } = this.#scan;
    const others = length - to + from;
    let before = NO_SCORE;
    let after = NO_SCORE;
    const beginnings = (this.#beginnings ??= []);
    const ends = (this.#ends ??= []);
    if (from > 0) before = (beginnings[from] ??= this.#bestScore(0, from)) * Math.sqrt(from / others);
    if (to < length) after = (ends[to] ??= this.#bestScore(to, length)) * Math.sqrt((length - to) / others);
    return before > 0 && after > 0 ? Math.hypot(before, after) : Math.max(before, after);
  }

  #bestScore(from: number, to: number): number {
    this.#scan.score(from, to, this.#scores);
    let best = NO_SCORE;
    for (let k = 0; k < this.#intentCount; k++) if (this.#scores[k]! > best) best = this.#scores[k]!;
    return best;
  }
}

/** The first of some intents with the highest score. */
function likeliestOf(scores: Float32Array, intents: readonly number[]): number | undefined {
  let likeliest = intents[0];
  for (let i = 1; i < intents.length; i++)
    if (scores[intents[i]!]! > scores[likeliest!]!) likeliest = intents[i];
  return likeliest;
}

/** The highest score of some intents, at least `NO_SCORE`. */
function greatestOf(scores: Float32Array, intents: readonly number[]): number {
  let best = NO_SCORE;
  for (let i = 0; i < intents.length; i++) if (scores[intents[i]!]! > best) best = scores[intents[i]!]!;
  return best;
}

/** The weight of a lead in a stretch of a given length. */
function worthOf(length: number, { worths, lengthPower }: StretchKind): number {
  return (worths[length] ??= length ** lengthPower);
}

/** Scores all stretches of a short message, and stretches of some lengths in a long one; never the whole message. */
function considerAnywhere(search: ClauseSearch, length: number): void {
  if (length <= ALL_STRETCHES_UP_TO) {
    for (let from = 0; from < length; from++) {
      for (let to = from + 1; to <= length; to++) if (to - from < length) search.consider(from, to, ANYWHERE);
    }
    return;
  }
  for (const size of LENGTHS) {
    const stride = Math.ceil(size / (length > LONG ? 2 : 3));
    for (let from = 0; from + size < length; from += stride) search.consider(from, from + size, ANYWHERE);
    search.consider(length - size, length, ANYWHERE);
  }
}

/** Every clause matters. */
const ANY_CLAUSE: ClauseInterest = { whole: 0, leastChance: 0 };

/**
 * The stretch of a message where a denied intent has the greatest lead over all allowed ones. Stretches between punctuation, line breaks
 * and joints are scored first, then any stretch of words, so that a second request is found whatever joins it to the first. At most a few
 * hundred scorings per part of a message. @param interest if no stretch can matter by it, the returned one does not matter either.
 */
export function findDeniedClause(
  scan: TextScan,
  standings: Standings,
  intentCount: number,
  interest = ANY_CLAUSE,
): DeniedClause | undefined {
  if (scan.length < 2 || standings.denied.length === 0) return undefined;
  const search = new ClauseSearch(scan, standings, intentCount);
  for (const [from, to] of stretchesBetweenSeams(scan)) search.consider(from, to, BETWEEN_SEAMS);
  if (search.mayFindMore(interest)) considerAnywhere(search, scan.length);
  return search.found.intent < 0 ? undefined : search.found;
}
