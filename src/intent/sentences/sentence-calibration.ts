import { chanceOf, type Chances } from "../calibration/calibration.ts";
import { signalVector } from "../calibration/signals.ts";
import { SENTENCE_COEFFICIENTS } from "./sentence-coefficients.ts";
import { SENTENCE_SIGNALS, type SentenceSignals } from "./sentence-signals.ts";

const [IN_SCOPE, CORRECT] = [columnOf(0), columnOf(1)];

/** The chances of a message that was encoded. Calibrated for messages that the classifier alone is unsure of. */
export function estimateSentenceChances(signals: SentenceSignals): Chances {
  const inputs = signalVector(SENTENCE_SIGNALS, signals);
  const inScope = chanceOf(inputs, IN_SCOPE);
  return { inScope, confidence: Math.min(inScope, chanceOf(inputs, CORRECT)) };
}

function columnOf(column: 0 | 1): Float64Array {
  return Float64Array.from(
    [...SENTENCE_SIGNALS, "constant"] as const,
    (name) => SENTENCE_COEFFICIENTS[name][column],
  );
}
