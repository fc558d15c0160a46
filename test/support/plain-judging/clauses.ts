import type { TextScan } from "../../../src/domain/decision.ts";
import {
  ALL_STRETCHES_UP_TO,
  ANYWHERE,
  BETWEEN_SEAMS,
  CLEAR_SCORE,
  type DeniedClause,
  LENGTHS,
  LONG,
  NO_SCORE,
  type StretchKind,
} from "../../../src/governance/suspicion/clauses.ts";
import type { Standings } from "../../../src/governance/suspicion/plausibility.ts";
import { stretchesBetweenSeams } from "../../../src/governance/suspicion/seams.ts";

/** Scores stretches of one message and keeps the best. */
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

  consider(from: number, to: number, kind: StretchKind): void {
    this.#scan.score(from, to, this.#scores);
    const intent = this.#bestDenied();
    const score = this.#scores[intent]!;
    if (score < kind.leastScore) return;
    let lead = (score - this.#bestAllowedScore()) * (to - from) ** kind.lengthPower;
    // Scoring the rest is expensive, so it is skipped if even the best rest could not make this the greatest lead.
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

  /**
   * Scores of the words before and after a stretch. Each side is weighted by the square root of its share of these words, and the two are combined as
   * the root of the sum of squares, so that two equally clear halves count as much as one whole.
   */
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

/** Every stretch of a short message, and stretches of some lengths in a long one; never the whole message. */
function* stretchesAnywhere(length: number): Generator<[from: number, to: number]> {
  if (length <= ALL_STRETCHES_UP_TO) {
    for (let from = 0; from < length; from++) {
      for (let to = from + 1; to <= length; to++) if (to - from < length) yield [from, to];
    }
    return;
  }
  for (const size of LENGTHS) {
    const stride = Math.ceil(size / (length > LONG ? 2 : 3));
    for (let from = 0; from + size < length; from += stride) yield [from, from + size];
    yield [length - size, length];
  }
}

/**
 * The stretch of a message where a denied intent has the greatest lead over all allowed ones. Stretches between punctuation, line breaks and joints
 * are scored first, then any stretch of words, so that a second request is found whatever joins it to the first. At most a few hundred scorings
 * per part of a message.
 */
export function findDeniedClause(
  scan: TextScan,
  standings: Standings,
  intentCount: number,
): DeniedClause | undefined {
  if (scan.length < 2 || standings.denied.length === 0) return undefined;
  const search = new ClauseSearch(scan, standings, intentCount);
  for (const [from, to] of stretchesBetweenSeams(scan)) search.consider(from, to, BETWEEN_SEAMS);
  for (const [from, to] of stretchesAnywhere(scan.length)) search.consider(from, to, ANYWHERE);
  return search.found.intent < 0 ? undefined : search.found;
}
