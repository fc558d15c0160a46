import type { Classification, Classifier, TextScan } from "../../domain/decision.ts";
import { stretchesBetweenSeams } from "./seams.ts";

/** Fewer tokens do not represent a message: "order!" may be a complaint. */
const FEWEST_UNITS = 3;

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
    const score = to - from < FEWEST_UNITS ? -Infinity : bestScore(scan, from, to, scores);
    if (score > greatest) [best, greatest] = [[from, to], score];
  }
  if (best === undefined) return undefined;
  const [from, to] = best;
  return classifier.classify(Array.from({ length: to - from }, (_, i) => scan.unit(from + i)).join(" "));
}
