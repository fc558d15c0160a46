/**
 * Prints the constants of src/intent/calibration/default-coefficients.ts: `bun test/bench/intent/fit-default-calibration.ts`. They are
 * fitted to 500 bots of 1–100 intents, which are drawn from the training splits of eight public data sets in four languages. To be run
 * again whenever features, weights or signals change; takes about two minutes.
 */
import { fitLogistic, type Trial } from "../../../src/intent/calibration/logistic.ts";
import { ASSUMED_IN_SCOPE } from "../../../src/intent/training/fit-calibration.ts";
import { calibrationSources, withoutKnowledge } from "./calibration-sources.ts";
import { ALL_SIZES, INPUTS, type SimulatedBot, type SimulatedTrial, simulateBots } from "./simulated-bots.ts";

const BOT_COUNT = 500;
const SEED = 42;
/** Pull of the coefficients towards 0, which tells apart signals that nearly say the same. */
const PULL = 1e-4;

function fit(bots: readonly SimulatedBot[], happened: (trial: SimulatedTrial) => boolean): Float64Array {
  const trials = bots.flatMap(({ trials: own }): Trial[] => {
    const inScope = own.filter(({ origin }) => origin === "own").length;
    if (inScope === 0 || inScope === own.length) return [];
    const weightIn = ASSUMED_IN_SCOPE / inScope;
    const weightOut = (1 - ASSUMED_IN_SCOPE) / (own.length - inScope);
    return own.map((trial) => ({
      inputs: trial.inputs,
      happened: happened(trial),
      weight: trial.origin === "own" ? weightIn : weightOut,
    }));
  });
  return fitLogistic(trials, new Float64Array(INPUTS.length + 1), PULL);
}

/** The source text of one `SizedCoefficients`. */
function printed(name: string, coefficients: Float64Array): string[] {
  const line = (input: string, i: number) => `${input}: ${Number(coefficients[i]!.toFixed(2))},`;
  const lines = [...INPUTS, "constant"].map(line);
  const [signals, sizes] = [lines.slice(0, INPUTS.length - 2), lines.slice(INPUTS.length - 2)];
  return [
    `  ${name}: {`,
    "    signals: {",
    ...signals.map((text) => `      ${text}`),
    "    },",
    ...sizes.map((text) => `    ${text}`),
    "  },",
  ];
}

function print(name: string, bots: readonly SimulatedBot[]): void {
  const single = bots.filter(({ intentCount }) => intentCount === 1);
  const several = bots.filter(({ intentCount }) => intentCount > 1);
  const isInScope = ({ origin }: SimulatedTrial) => origin === "own";
  const parts = [
    printed("oneIntent", fit(single, isInScope)),
    printed("inScope", fit(several, isInScope)),
    printed(
      "correct",
      fit(several, ({ isCorrect }) => isCorrect),
    ),
  ];
  console.log([`export const ${name}: DefaultCoefficients = {`, ...parts.flat(), "};"].join("\n"));
}

const sources = calibrationSources();
print("WITHOUT_MEANINGS", simulateBots(withoutKnowledge(sources), ALL_SIZES, BOT_COUNT, SEED));
print("WITH_MEANINGS", simulateBots(sources, ALL_SIZES, BOT_COUNT, SEED));
