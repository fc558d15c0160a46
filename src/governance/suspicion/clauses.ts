import type { TextScan } from "../../domain/decision.ts";
import { leadForChance, type Leads } from "./plausibility.ts";
import { stretchesBetweenSeams } from "./seams.ts";
import type { Standings } from "./standings.ts";

/** The stretch of a message in which a denied intent shows best, and how well it shows. */
export interface DeniedClause extends Leads {
  /** Its words and signs, from `from` up to `to`. */
  from: number;
  to: number;
  /** Index of the intent. */
  intent: number;
}

/** A message of n words has n²/2 stretches. Up to so many words all are scored: 300 at most. */
export const ALL_STRETCHES_UP_TO = 24;
/** In longer messages stretches of these lengths are scored: most requests in the data sets have 3 to 18 words. */
export const LENGTHS = [3, 5, 8, 12, 18];
/** Neighbouring stretches overlap by two thirds, and beyond this length by half, which keeps the cost of a long message in bounds. */
export const LONG = 60;

/**
 * How the lead of a stretch is computed: the denied intent's score less the best allowed one's, times `length ** lengthPower`, plus
 * `restWeight` times what the rest of the message scores better without the stretch than with it. The numbers were chosen together,
 * by what `bun test/bench/governance/run.ts tuning` prints for smuggled requests and for two allowed requests in one message.
 */
export interface StretchKind {
  lead: "atSeams" | "anywhere";
  /** A short stretch leads by chance more often than a long one, so length counts; less where a seam vouches for the stretch. */
  lengthPower: number;
  restWeight: number;
  /** `length ** lengthPower`, by length, as far as it was asked for. */
  worths: number[];
  /** A stretch in which the denied intent scores less does not count. Without it, scraps between two commas would. */
  leastScore: number;
  /** A lead between seams is worth so much more when the stretch to report is chosen. */
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

/** Examples score 1 on average. What scores a quarter more is clear, and a still higher score says no more. */
export const CLEAR_SCORE = 1.25;
/** Nothing speaks for an intent below 0; a quarter below it nothing speaks for any, and the exact score is noise. */
export const NO_SCORE = -0.25;

/** What is known of a message as a whole, and asked of its parts. */
export interface ClauseInterest {
  /** The chance that the message as a whole asks for something denied. */
  whole: number;
  /** A part that asks for it with less of a chance is of no interest; the search ends where there can be no other. */
  leastChance: number;
}

/** Scratch memory for the scores of one stretch. */
let scratch = new Float32Array(64);

/** Scores stretches of one message and keeps the best. */
class ClauseSearch {
  readonly found: DeniedClause = { from: 0, to: 0, intent: -1, atSeams: -Infinity, anywhere: -Infinity };
  readonly #scan: TextScan;
  readonly #standings: Standings;
  readonly #scores: Float32Array;
  readonly #intentCount: number;
  readonly #whole: number;
  /** Who is scored first: the denied intents, and of the allowed ones that which leads in the message as a whole. */
  readonly #first: readonly number[];
  readonly #likeliest: number | undefined;
  /** What the words before and after some places score, as far as it was asked for. */
  #beginnings: number[] | undefined;
  #ends: number[] | undefined;
  #best = -Infinity;
  /** A stretch that leads by less anywhere is of no interest. */
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

  /** To be called when all stretches between seams have been considered. @returns whether any other can be of interest. */
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
    // What is no greater with the best rest there could be, and one allowed intent alone against it, needs no second look.
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
   * How well the words before and after a stretch score by themselves. Each side counts by the root of its share of these words; the
   * sides add up like the legs of a right triangle, so that two halves that are as clear count as much as one whole.
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

/** The greatest score of some intents, `NO_SCORE` at least. */
function greatestOf(scores: Float32Array, intents: readonly number[]): number {
  let best = NO_SCORE;
  for (let i = 0; i < intents.length; i++) if (scores[intents[i]!]! > best) best = scores[intents[i]!]!;
  return best;
}

/** What a lead counts for in a stretch of so many units. */
function worthOf(length: number, { worths, lengthPower }: StretchKind): number {
  return (worths[length] ??= length ** lengthPower);
}

/** Considers every stretch of a short message, and stretches of some lengths in a long one; never the whole message. */
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

/** A part with any chance is of interest. */
const ANY_CLAUSE: ClauseInterest = { whole: 0, leastChance: 0 };

/**
 * The stretch of a message where a denied intent leads most over every allowed one. Stretches between punctuation, line ends
 * and joints are scored first. Then every stretch of words is, so that a second request is found whatever joins it to the first.
 * Costs a few hundred scorings at most for a piece of a message.
 * @param interest where none can be found that is of interest, what is returned is of none either.
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
