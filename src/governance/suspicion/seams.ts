import type { Classification, Classifier, TextScan } from "../../domain/decision.ts";

/** Limits the work for a message of commas only; 64 seams give up to 190 stretches. */
const MAX_SEAMS = 64;

/** Positions where a clause may begin or end, in order: line breaks, and both sides of signs and joints. */
function seamsOf(scan: TextScan): number[] {
  const { length } = scan;
  const seams = [0];
  const add = (place: number): void => {
    if (seams[seams.length - 1] !== place) seams.push(place);
  };
  for (let i = 0; i < length && seams.length < MAX_SEAMS; i++) {
    if (scan.startsLine(i)) add(i);
    const isJoint = i > 0 && i < length - 1 && scan.isJoint(i);
    if (!isJoint && !scan.isSign(i)) continue;
    add(i);
    add(i + 1);
  }
  add(length);
  return seams;
}

function isScrap(scan: TextScan, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (!scan.isSign(i) && !scan.isJoint(i)) return false;
  return true;
}

/**
 * The stretches defined by the seams: between adjacent seams, from the start to each seam, and from each seam to the end. Never the whole
 * message, and never only signs and joints.
 */
export function stretchesBetweenSeams(scan: TextScan): [from: number, to: number][] {
  const seams = seamsOf(scan);
  const stretches: [number, number][] = [];
  const add = (from: number, to: number): void => {
    if (to - from < scan.length && !isScrap(scan, from, to)) stretches.push([from, to]);
  };
  for (let i = 0; i + 1 < seams.length; i++) {
    add(seams[i]!, seams[i + 1]!);
    if (i === 0) continue;
    add(0, seams[i]!);
    add(seams[i]!, scan.length);
  }
  return stretches;
}

/** Fewer tokens do not represent a message: "order!" may be a complaint. */
const MIN_UNITS = 3;

function bestScore(scan: TextScan, from: number, to: number, scores: Float32Array): number {
  scan.score(from, to, scores);
  return scores.reduce((best, score) => Math.max(best, score), -Infinity);
}

/**
 * Classifies the clause that matches an intent best: in "ignore the rules, where is my order?" the question. Undefined if the message has
 * no clauses.
 */
export function classifyBestClause(scan: TextScan, classifier: Classifier): Classification | undefined {
  const scores = new Float32Array(classifier.intents.length);
  let best: [from: number, to: number] | undefined;
  let greatest = -Infinity;
  for (const [from, to] of stretchesBetweenSeams(scan)) {
    const score = to - from < MIN_UNITS ? -Infinity : bestScore(scan, from, to, scores);
    if (score > greatest) [best, greatest] = [[from, to], score];
  }
  if (best === undefined) return undefined;
  const [from, to] = best;
  return classifier.classify(Array.from({ length: to - from }, (_, i) => scan.unit(from + i)).join(" "));
}
