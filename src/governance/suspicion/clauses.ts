import type { TextScan } from "../../domain/decision.ts";
import { stretchesBetweenSeams } from "./seams.ts";

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

/** Up to this length every stretch is judged; in longer messages some lengths are, at strides. */
const ALL_STRETCHES_UP_TO = 24;
const LENGTHS = [3, 5, 8, 12, 18];
const LONG = 60;

/** How stretches of one kind are judged. Fitted on the training and validation parts of the data sets. */
interface StretchKind {
  lead: "atSeams" | "anywhere";
  /** A lead counts for more in a longer stretch: by its length to this power. */
  lengthPower: number;
  /** What it adds that the rest of the message reads better without the stretch than with it. */
  restWeight: number;
  /** Stretches that look less like the denied intent do not count. */
  leastScore: number;
  /** What a lead is worth when the best stretch is named. */
  rank: number;
}

const BETWEEN_SEAMS: StretchKind = {
  lead: "atSeams",
  lengthPower: 0.25,
  restWeight: 1,
  leastScore: 0.25,
  rank: 1.5,
};
const ANYWHERE: StretchKind = {
  lead: "anywhere",
  lengthPower: 0.5,
  restWeight: 2,
  leastScore: -Infinity,
  rank: 1,
};

/** A score beyond which more says nothing, and one that says nothing. */
const CLEAR_SCORE = 1.25;
const NO_SCORE = -0.25;

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

  judge(from: number, to: number, kind: StretchKind): void {
    this.#scan.score(from, to, this.#scores);
    const intent = this.#bestDenied();
    const score = this.#scores[intent]!;
    if (score < kind.leastScore) return;
    let lead = (score - this.#bestAllowedScore()) * (to - from) ** kind.lengthPower;
    // The rest is costly to score, and cannot make up for more than this.
    if (lead + kind.restWeight * (CLEAR_SCORE - this.#whole) <= this.found[kind.lead]) return;
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

  #bestDenied(): number {
    const scores = this.#scores;
    return this.#standings.denied.reduce((best, k) => (scores[k]! > scores[best]! ? k : best));
  }

  #bestAllowedScore(): number {
    let best = NO_SCORE;
    for (const k of this.#standings.allowed) best = Math.max(best, this.#scores[k]!);
    return best;
  }

  /** How well what stands before and after a stretch reads, each by itself and weighed by its share. */
  #restScore(from: number, to: number): number {
    const { length } = this.#scan;
    const others = length - to + from;
    let before = NO_SCORE;
    let after = NO_SCORE;
    if (from > 0) before = (this.#beginnings[from] ??= this.#bestScore(0, from)) * Math.sqrt(from / others);
    if (to < length)
      after = (this.#ends[to] ??= this.#bestScore(to, length)) * Math.sqrt((length - to) / others);
    return before > 0 && after > 0 ? Math.hypot(before, after) : Math.max(before, after);
  }

  #bestScore(from: number, to: number): number {
    this.#scan.score(from, to, this.#scores);
    let best = NO_SCORE;
    for (const score of this.#scores) if (score > best) best = score;
    return best;
  }
}

function judgeBetweenSeams(scan: TextScan, search: ClauseSearch): void {
  for (const [from, to] of stretchesBetweenSeams(scan)) search.judge(from, to, BETWEEN_SEAMS);
}

function judgeAnywhere({ length }: TextScan, search: ClauseSearch): void {
  if (length <= ALL_STRETCHES_UP_TO) {
    for (let from = 0; from < length; from++) {
      for (let to = from + 1; to <= length; to++) if (to - from < length) search.judge(from, to, ANYWHERE);
    }
    return;
  }
  for (const size of LENGTHS) {
    const stride = Math.ceil(size / (length > LONG ? 2 : 3));
    for (let from = 0; from + size < length; from += stride) search.judge(from, from + size, ANYWHERE);
    search.judge(length - size, length, ANYWHERE);
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
  judgeBetweenSeams(scan, search);
  judgeAnywhere(scan, search);
  return search.found.intent < 0 ? undefined : search.found;
}
