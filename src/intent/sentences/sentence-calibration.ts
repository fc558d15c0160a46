import type { Chances } from "../calibration/calibration.ts";
import { chanceOf } from "../calibration/logistic.ts";
import { CORRECT, IN_SCOPE, type SentenceCoefficients } from "./sentence-coefficients.ts";
import { sentenceSignalVector, type SentenceSignals } from "./sentence-signals.ts";

const IN_SCOPE_VECTOR = coefficientVector(IN_SCOPE);
const CORRECT_VECTOR = coefficientVector(CORRECT);

/** The chances of a message that was encoded. Calibrated for messages that the classifier alone is unsure of. */
export function estimateSentenceChances(signals: SentenceSignals): Chances {
  const inputs = sentenceSignalVector(signals);
  const inScope = chanceOf(inputs, IN_SCOPE_VECTOR);
  return { inScope, confidence: Math.min(inScope, chanceOf(inputs, CORRECT_VECTOR)) };
}

function coefficientVector({ signals, constant }: SentenceCoefficients): Float64Array {
  return Float64Array.of(...sentenceSignalVector(signals), constant);
}
