/**
 * Prints what the calibration does to simulated bots at its match threshold, with and without the demand that a text's subject
 * be covered: `bun test/bench/intent/measure-calibration.ts`. The bots are English ones of a first operator's size. They come
 * from the training splits of the data sets that the calibration is fitted to, but are others.
 */
import { calibrationFor } from "../../../src/intent/calibration/calibration-for.ts";
import { estimateChances } from "../../../src/intent/calibration/calibration.ts";
import type { Signals } from "../../../src/intent/calibration/signals.ts";
import { SIGNALS } from "../../../src/intent/calibration/signals.ts";
import type { WordKnowledge } from "../../../src/intent/words/word-knowledge.ts";
import { calibrationSources, withoutKnowledge } from "./calibration-sources.ts";
import {
  type BotSizes,
  type Origin,
  type SimulatedTrial,
  simulateBots,
  type Source,
} from "./simulated-bots.ts";

const BOT_COUNT = 150;
const SEED = 43;
const SIZES: Record<string, BotSizes> = {
  "1–20 intents, 3–15 examples each": { intents: [1, 2, 3, 5, 8, 12, 20], examples: [3, 4, 5, 6, 8, 10, 15] },
  "2 intents, 3–15 examples each": { intents: [2], examples: [3, 4, 5, 6, 8, 10, 15] },
};
const ORIGINS: readonly Origin[] = ["own", "beside", "elsewhere"];

/** The chance of being in scope where nothing of the subject has to be covered. */
function inScopeUncovered({ inputs }: SimulatedTrial, knowledge: WordKnowledge): number {
  const signals = Object.fromEntries(SIGNALS.map((signal, i) => [signal, inputs[i]!])) as Signals;
  const [lnIntents, lnExamples] = inputs.subarray(SIGNALS.length);
  const intents = Math.round(Math.exp(lnIntents!));
  const calibration = calibrationFor(intents, Math.round(intents * Math.exp(lnExamples!)), knowledge);
  return estimateChances(signals, 1, calibration).inScope;
}

function shareAccepted(
  trials: readonly SimulatedTrial[],
  origin: Origin,
  inScopeOf: (trial: SimulatedTrial) => number,
  threshold: number,
): string {
  const own = trials.filter((trial) => trial.origin === origin);
  return (own.filter((trial) => inScopeOf(trial) >= threshold).length / own.length).toFixed(3).padStart(10);
}

function measure(name: string, sources: readonly Source[], sizes: BotSizes): void {
  const { knowledge } = sources[0]!;
  const { matchThreshold } = calibrationFor(2, 2, knowledge);
  const trials = simulateBots(sources, sizes, BOT_COUNT, SEED).flatMap((bot) => bot.trials);
  const row = (what: string, inScopeOf: (trial: SimulatedTrial) => number) =>
    console.log(
      `  ${`${name}, ${what}`.padEnd(44)}${ORIGINS.map((origin) => shareAccepted(trials, origin, inScopeOf, matchThreshold)).join("")}`,
    );
  row("subject covered", ({ inScope }) => inScope);
  row("subject not asked for", (trial) => inScopeUncovered(trial, knowledge));
}

const english = calibrationSources().filter(({ knowledge }) => knowledge.language === "en");
for (const [name, sizes] of Object.entries(SIZES)) {
  console.log(`${name}: share accepted`.padEnd(46) + ORIGINS.map((origin) => origin.padStart(10)).join(""));
  measure("with meanings", english, sizes);
  measure("without meanings", withoutKnowledge(english), sizes);
}
