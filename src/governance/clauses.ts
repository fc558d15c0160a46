import type { TextScan } from "../domain/decision.ts";
import { JOINTS } from "./joints.ts";

/** Indexes of a classifier's intents that a profile denies and allows; the rest stands in neither list. */
export interface Standings {
  denied: readonly number[];
  allowed: readonly number[];
}

/** The stretch of a message in which a denied intent shows best. */
export interface DeniedClause {
  from: number;
  to: number;
  /** Index of the intent. */
  intent: number;
  /**
   * The greatest lead of a denied intent over every allowed one, weighed by length and by what the rest says: between two seams of
   * the message (−∞ without any), and anywhere.
   */
  atSeams: number;
  anywhere: number;
}

/** Longer messages are judged at strides, in stretches of these lengths. */
const LENGTHS = [3, 5, 8, 12, 18];
const ALL_STRETCHES_UP_TO = 24;
const MOST_SEAMS = 64;

/** Fitted on the training and validation parts of the data sets: how a stretch's lead grows with its length, and what it counts that the rest reads better by itself than with it. */
const SEAM_LENGTH_POWER = 0.25;
const LENGTH_POWER = 0.5;
/** A lead between seams is worth that much of one anywhere, when the best stretch is named. */
const SEAM_RANK = 1.5;
const SEAM_REST_WEIGHT = 1;
const REST_WEIGHT = 2;
/** A score beyond which more says nothing. */
const CLEAR_SCORE = 1.25;
const NO_SCORE = -0.25;
/** Between seams, scraps that hardly look like the denied intent do not count. */
const LEAST_SEAM_SCORE = 0.25;

/** Compares stretches of one message; keeps the best. */
class ClauseSearch {
  readonly found: DeniedClause = { from: 0, to: 0, intent: -1, atSeams: -Infinity, anywhere: -Infinity };
  readonly #scan: TextScan;
  readonly #standings: Standings;
  readonly #scores: Float32Array;
  readonly #whole: number;
  readonly #beginnings: number[] = [];
  readonly #ends: number[] = [];
  #best = -Infinity;

  constructor(scan: TextScan, standings: Standings, intentCount: number) {
    this.#scan = scan;
    this.#standings = standings;
    this.#scores = new Float32Array(intentCount);
    this.#whole = Math.min(CLEAR_SCORE, this.#bestScore(0, scan.length));
  }

  judge(from: number, to: number, isBetweenSeams: boolean): void {
    this.#scan.score(from, to, this.#scores);
    let intent = -1;
    for (const k of this.#standings.denied)
      if (intent < 0 || this.#scores[k]! > this.#scores[intent]!) intent = k;
    const score = this.#scores[intent]!;
    if (isBetweenSeams && score < LEAST_SEAM_SCORE) return;
    let allowed = NO_SCORE;
    for (const k of this.#standings.allowed) allowed = Math.max(allowed, this.#scores[k]!);
    const lead = (score - allowed) * (to - from) ** (isBetweenSeams ? SEAM_LENGTH_POWER : LENGTH_POWER);
    const rest = Math.min(CLEAR_SCORE, this.#restScore(from, to)) - this.#whole;
    this.#offer(
      from,
      to,
      intent,
      lead + rest * (isBetweenSeams ? SEAM_REST_WEIGHT : REST_WEIGHT),
      isBetweenSeams,
    );
  }

  #offer(from: number, to: number, intent: number, lead: number, isBetweenSeams: boolean): void {
    const { found } = this;
    if (isBetweenSeams) found.atSeams = Math.max(found.atSeams, lead);
    else found.anywhere = Math.max(found.anywhere, lead);
    const weight = isBetweenSeams ? lead * SEAM_RANK : lead;
    if (weight <= this.#best) return;
    this.#best = weight;
    [found.from, found.to, found.intent] = [from, to, intent];
  }

  /** How well the better of what stands before and after a stretch reads by itself, weighed by its share. */
  #restScore(from: number, to: number): number {
    const { length } = this.#scan;
    const others = length - to + from;
    let score = NO_SCORE;
    if (from > 0) {
      this.#beginnings[from] ??= this.#bestScore(0, from);
      score = Math.max(score, this.#beginnings[from] * Math.sqrt(from / others));
    }
    if (to < length) {
      this.#ends[to] ??= this.#bestScore(to, length);
      score = Math.max(score, this.#ends[to] * Math.sqrt((length - to) / others));
    }
    return score;
  }

  #bestScore(from: number, to: number): number {
    this.#scan.score(from, to, this.#scores);
    let best = NO_SCORE;
    for (const score of this.#scores) if (score > best) best = score;
    return best;
  }
}

/** Places where a clause may begin or end: line ends, and both sides of signs and joints. */
function seamsOf(scan: TextScan): number[] {
  const seams = new Set([0]);
  for (let i = 0; i < scan.length && seams.size < MOST_SEAMS; i++) {
    if (scan.startsLine(i)) seams.add(i);
    const isJoint = i > 0 && i < scan.length - 1 && JOINTS.has(scan.unit(i));
    if (scan.isSign(i) || isJoint) seams.add(i).add(i + 1);
  }
  return [...seams.add(scan.length)];
}

function isScrap(scan: TextScan, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (!scan.isSign(i) && !JOINTS.has(scan.unit(i))) return false;
  return true;
}

/** Stretches between two seams: each one, and all before and after a seam. */
function judgeBetweenSeams(scan: TextScan, search: ClauseSearch, seams: readonly number[]): void {
  const judge = (from: number, to: number): void => {
    if (to - from < scan.length && !isScrap(scan, from, to)) search.judge(from, to, true);
  };
  for (let i = 0; i + 1 < seams.length; i++) {
    judge(seams[i]!, seams[i + 1]!);
    if (i > 0) judge(0, seams[i]!);
    if (i > 0) judge(seams[i]!, scan.length);
  }
}

function judgeAnywhere({ length }: TextScan, search: ClauseSearch): void {
  if (length <= ALL_STRETCHES_UP_TO) {
    for (let from = 0; from < length; from++) {
      for (let to = from + 1; to <= length; to++) if (to - from < length) search.judge(from, to, false);
    }
    return;
  }
  for (const size of LENGTHS) {
    const stride = Math.ceil(size / 3);
    for (let from = 0; from + size < length; from += stride) search.judge(from, from + size, false);
    search.judge(length - size, length, false);
  }
}

/**
 * The stretch of a message where a denied intent leads most over every allowed one. Stretches between punctuation, line ends
 * and joints are looked at, and beyond them every stretch of words, so that no joint of any language hides a second
 * request. Costs one scoring for each of at most a few hundred stretches.
 */
export function findDeniedClause(
  scan: TextScan,
  standings: Standings,
  intentCount: number,
): DeniedClause | undefined {
  if (scan.length < 2 || standings.denied.length === 0) return undefined;
  const search = new ClauseSearch(scan, standings, intentCount);
  judgeBetweenSeams(scan, search, seamsOf(scan));
  judgeAnywhere(scan, search);
  return search.found.intent < 0 ? undefined : search.found;
}
