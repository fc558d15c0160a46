import { calibrationFor } from "../../../../src/intent/calibration/calibration-for.ts";
import { chanceOf, trustIn } from "../../../../src/intent/calibration/calibration.ts";
import { SIGNALS } from "../../../../src/intent/calibration/signals.ts";
import { isUnsure } from "../../../../src/intent/classifier.ts";
import { SENTENCE_SIGNALS } from "../../../../src/intent/sentences/sentence-signals.ts";
import { NO_KNOWLEDGE } from "../../../../src/intent/words/word-knowledge.ts";
import { fitLogistic, type Trial } from "../fit-logistic.ts";
import type { RawBot, RawTrial } from "./trials.ts";

/** Chances of one trial after both stages, and the intent that they are about. */
export interface Judged {
  trial: RawTrial;
  best: number;
  inScope: number;
}

/** Share of messages that is taken to be in scope. */
const SHARE_IN_SCOPE = 0.7;
/** What a simulated bot's trial counts beside one of a realistic bot, as in `fit-sentence-calibration.ts`. */
const SIMULATED_WEIGHT = 0.15;
const PULL = 1e-3;
/** As in `sentence-signals.ts`. */
const LEAST_DOUBT = 0.001;
const OWN_CHANCES = [SENTENCE_SIGNALS.indexOf("inScope"), SENTENCE_SIGNALS.indexOf("confidence")] as const;

interface Sample {
  bot: RawBot;
  trial: RawTrial;
  weight: number;
}

/**
 * Both calibrations, fitted to these bots: what is left of a part's worth once the rest is fitted without it.
 * @param without signals that are 0 throughout.
 */
export class Refit {
  readonly #without: ReadonlySet<string>;
  readonly #coverageNeeded = calibrationFor(2, 2, NO_KNOWLEDGE).coverageNeeded;
  readonly #first: { inScope: Float64Array; correct: Float64Array };
  readonly #second: Float64Array;

  constructor(simulated: readonly RawBot[], realistic: readonly RawBot[], without: ReadonlySet<string>) {
    this.#without = without;
    const all = [...samplesOf(simulated, SIMULATED_WEIGHT), ...samplesOf(realistic, 1)];
    const known = all.filter(({ trial }) => trial.classifier !== undefined);
    const inputs = ({ bot, trial }: Sample) => this.#firstInputs(bot, trial.classifier!.signals);
    this.#first = {
      inScope: fit(known, inputs, isInScope),
      correct: fit(
        known.filter(({ trial }) => trial.origin !== "denied"),
        inputs,
        ({ classifier, label }) => label >= 0 && classifier!.best === label,
      ),
    };
    const unsure = all.filter(
      ({ bot, trial }) => trial.sentence !== undefined && isUnsure(this.#byClassifier(bot, trial)),
    );
    this.#second = fit(unsure, ({ bot, trial }) => this.#secondInputs(bot, trial), isInScope);
  }

  judge(bot: RawBot, trial: RawTrial): Judged {
    const chances = this.#byClassifier(bot, trial);
    const { sentence } = trial;
    if (sentence === undefined || !isUnsure(chances)) {
      return { trial, best: trial.classifier?.best ?? -1, inScope: chances.inScope };
    }
    return { trial, best: sentence.best, inScope: chanceOf(this.#secondInputs(bot, trial), this.#second) };
  }

  #byClassifier(bot: RawBot, { classifier }: RawTrial): { inScope: number; confidence: number } {
    if (classifier === undefined) return { inScope: 0, confidence: 0 };
    const inputs = this.#firstInputs(bot, classifier.signals);
    const trust = trustIn(classifier.coverage, this.#coverageNeeded);
    const inScope = chanceOf(inputs, this.#first.inScope);
    return {
      inScope: inScope * trust,
      confidence: Math.min(inScope, chanceOf(inputs, this.#first.correct)) * trust,
    };
  }

  #firstInputs({ intentCount, examplesPerIntent }: RawBot, signals: Float64Array): Float64Array {
    const kept = signals.map((value, i) => (this.#without.has(SIGNALS[i]!) ? 0 : value));
    return Float64Array.of(...kept, Math.log(intentCount), Math.log(examplesPerIntent));
  }

  #secondInputs(bot: RawBot, trial: RawTrial): Float64Array {
    const { inScope, confidence } = this.#byClassifier(bot, trial);
    const inputs = trial.sentence!.inputs.slice();
    inputs[OWN_CHANCES[0]] = logOdds(inScope);
    inputs[OWN_CHANCES[1]] = logOdds(confidence);
    return inputs.map((value, i) => (this.#without.has(SENTENCE_SIGNALS[i]!) ? 0 : value));
  }
}

export function isInScope({ origin }: RawTrial): boolean {
  return origin === "own" || origin === "denied";
}

function logOdds(chance: number): number {
  const bounded = Math.min(1 - LEAST_DOUBT, Math.max(LEAST_DOUBT, chance));
  return Math.log(bounded / (1 - bounded));
}

/** A bot's trials, so weighted that the assumed share is in scope. */
function samplesOf(bots: readonly RawBot[], weight: number): Sample[] {
  return bots.flatMap((bot) => {
    const inScope = bot.trials.filter(isInScope).length;
    const weightIn = (weight * bot.trials.length * SHARE_IN_SCOPE) / inScope;
    const weightOut = (weight * bot.trials.length * (1 - SHARE_IN_SCOPE)) / (bot.trials.length - inScope);
    return bot.trials.map((trial) => ({ bot, trial, weight: isInScope(trial) ? weightIn : weightOut }));
  });
}

function fit(
  samples: readonly Sample[],
  inputsOf: (sample: Sample) => Float64Array,
  happened: (trial: RawTrial) => boolean,
): Float64Array {
  const trials = samples.map((sample): Trial => ({
    inputs: inputsOf(sample),
    happened: happened(sample.trial),
    weight: sample.weight,
  }));
  return fitLogistic(trials, new Float64Array(trials[0]!.inputs.length + 1), PULL);
}
