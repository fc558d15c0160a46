/** Fits the classifier's own calibration: src/intent/calibration/calibration-for.ts. */
import { calibrationFor } from "../../../src/intent/calibration/calibration-for.ts";
import { COLUMNS } from "../../../src/intent/calibration/calibration-for.ts";
import { trustIn, SIGNALS } from "../../../src/intent/calibration/calibration.ts";
import { SHARE_IN_SCOPE } from "./assumed-shares.ts";
import { calibrationSources } from "./calibration-sources.ts";
import { fitLogistic, type Trial } from "./fit-logistic.ts";
import { fitLargeBots } from "./large-calibration.ts";
import {
  ALL_SIZES,
  INPUTS,
  type SimulatedBot,
  type SimulatedTrial,
  simulateBots,
  type Source,
} from "./simulated-bots.ts";

const BOT_COUNT = 500;
const SEED = 42;
/** L2 penalty on the coefficients, needed because some signals are strongly correlated. */
const PULL = 1e-4;

function fit(bots: readonly SimulatedBot[], happened: (trial: SimulatedTrial) => boolean): Float64Array {
  const trials = bots.flatMap(({ trials: own }): Trial[] => {
    const inScope = own.filter(({ origin }) => origin === "own").length;
    if (inScope === 0 || inScope === own.length) return [];
    const weightIn = SHARE_IN_SCOPE.many / inScope;
    const weightOut = (1 - SHARE_IN_SCOPE.many) / (own.length - inScope);
    return own.map((trial) => ({
      inputs: trial.inputs,
      happened: happened(trial),
      weight: trial.origin === "own" ? weightIn : weightOut,
    }));
  });
  return fitLogistic(trials, new Float64Array(INPUTS.length + 1), PULL);
}

/** The coefficients of a model that knows nothing of a bot's size, in the order of the others. */
function unsized(coefficients: Float64Array): Float64Array {
  return Float64Array.of(...coefficients.subarray(0, SIGNALS.length), 0, 0, coefficients.at(-1)!);
}

/**
 * Prints the table, and the match threshold of bots of many examples; some two minutes. The first three columns are fitted to 500 bots of
 * 1–100 intents, which are drawn from the training splits of eight public data sets in four languages. The two of bots of many examples are
 * means over two data sets; see `large-calibration.ts`.
 */
export function fitClassifier(): void {
  const sources = calibrationSources();
  const bots = simulateBots(sources, ALL_SIZES, BOT_COUNT, SEED);
  const single = bots.filter(({ intentCount }) => intentCount === 1);
  const several = bots.filter(({ intentCount }) => intentCount > 1);
  const isInScope = ({ origin }: SimulatedTrial) => origin === "own";
  const large = fitLargeBots(sources);
  const columns: Record<(typeof COLUMNS)[number], Float64Array> = {
    oneIntent: fit(single, isInScope),
    inScope: fit(several, isInScope),
    correct: fit(several, ({ isCorrect }) => isCorrect),
    inScopeOfMany: unsized(large.inScope),
    correctOfMany: unsized(large.correct),
  };
  console.log("export const COEFFICIENTS: CoefficientTable = {");
  for (const [i, row] of [...INPUTS, "constant"].entries()) {
    const cells = COLUMNS.map((column) => Number(columns[column][i]!.toFixed(2)));
    console.log(`  ${row}: [${cells.join(", ")}],`);
  }
  console.log("};");
  console.log(`// 95 % of held-out examples of many have at least ${large.matchThreshold.toFixed(2)}`);
  describeAccepted(sources);
}

/** Bots of the size of a first bot. */
const SMALL_SIZES = { intents: [1, 2, 3, 5, 8, 12, 20], examples: [3, 4, 5, 6, 8, 10, 15] };
const SMALL_COUNT = 150;

/** Prints the shares that small bots accept by the current table, with and without the requirement that a text's subject is covered. */
function describeAccepted(sources: readonly Source[]): void {
  const { matchThreshold, coverageNeeded } = calibrationFor(2, 2);
  const trials = simulateBots(sources, SMALL_SIZES, SMALL_COUNT, SEED + 1).flatMap((bot) => bot.trials);
  for (const origin of ["own", "beside", "elsewhere"] as const) {
    const of = trials.filter((trial) => trial.origin === origin);
    const share = (chanceOf: (trial: SimulatedTrial) => number) =>
      (of.filter((trial) => chanceOf(trial) >= matchThreshold).length / of.length).toFixed(2);
    const uncovered = share(({ inScope, coverage }) => inScope / trustIn(coverage, coverageNeeded));
    console.log(
      `// accepted of ${origin}: ${share(({ inScope }) => inScope)}, not asked for coverage ${uncovered}`,
    );
  }
}
