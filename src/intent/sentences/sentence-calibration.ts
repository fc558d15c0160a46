import { chanceOf, type Chances } from "../calibration/calibration.ts";
import { signalVector } from "../calibration/signals.ts";
import { SENTENCE_SIGNALS, type SentenceSignal, type SentenceSignals } from "./sentence-signals.ts";

/**
 * What is added for each signal, and for every message: to the log odds of being in scope, and of the best intent in the blend being right.
 * Printed by `npm run bench:intent -- --fit`, which says how they are fitted.
 */
const COEFFICIENTS: Readonly<
  Record<SentenceSignal | "constant", readonly [inScope: number, correct: number]>
> = {
  blend: [-0.11, 0.51],
  cosine: [5.71, 3.17],
  ridgeSum: [15.25, 0.28],
  length: [2.35, 0.93],
  lnIntents: [-0.3, -0.13],
  lnTexts: [-0.74, -0.17],
  constant: [-2.34, -1.89],
};

const [IN_SCOPE, CORRECT] = [columnOf(0), columnOf(1)];

/** The chances of a message that was encoded. */
export function estimateSentenceChances(signals: SentenceSignals): Chances {
  const inputs = signalVector(SENTENCE_SIGNALS, signals);
  const inScope = chanceOf(inputs, IN_SCOPE);
  return { inScope, confidence: Math.min(inScope, chanceOf(inputs, CORRECT)) };
}

function columnOf(column: 0 | 1): Float64Array {
  return Float64Array.from([...SENTENCE_SIGNALS, "constant"] as const, (name) => COEFFICIENTS[name][column]);
}
