/**
 * Prints the coefficients that `defaultCalibration` holds: `bun test/bench/intent/fit-default-calibration.ts`. Reads training splits only.
 * To be run again whenever features, weights or signals change; takes about two minutes.
 */
import { ASSUMED_IN_SCOPE } from "../../../src/intent/calibration/calibrate.ts";
import { fitLogistic, type Trial } from "../../../src/intent/calibration/logistic.ts";
import { meaningsOf } from "../../../src/intent/words/glossary.ts";
import { NO_KNOWLEDGE } from "../../../src/intent/words/word-knowledge.ts";
import type { Language } from "../../../src/text/languages.ts";
import { findDataFolder, loadDataSet, trainingIntents } from "./data-sets.ts";
import { type SimulatedBot, type SimulatedTrial, simulateBots, type Source } from "./simulated-bots.ts";

const BOT_COUNT = 500;
const PULL = 1e-4;
const SETS: { name: string; weight: number; language: Language }[] = [
  { name: "clinc150", weight: 5, language: "en" },
  { name: "banking77", weight: 3, language: "en" },
  { name: "nlpjs_en", weight: 1, language: "en" },
  { name: "nlpjs_es", weight: 1, language: "es" },
  { name: "nlpjs_fr", weight: 1, language: "fr" },
  { name: "nlpjs_it", weight: 1, language: "it" },
  { name: "askubuntu", weight: 1, language: "en" },
  { name: "chatbot", weight: 0.5, language: "en" },
];

function fit(bots: readonly SimulatedBot[], happened: (trial: SimulatedTrial) => boolean): Float64Array {
  const trials = bots.flatMap(({ trials: own }): Trial[] => {
    const inScope = own.filter(({ isInScope }) => isInScope).length;
    if (inScope === 0 || inScope === own.length) return [];
    const weightIn = ASSUMED_IN_SCOPE / inScope;
    const weightOut = (1 - ASSUMED_IN_SCOPE) / (own.length - inScope);
    return own.map((trial) => ({
      inputs: trial.inputs,
      happened: happened(trial),
      weight: trial.isInScope ? weightIn : weightOut,
    }));
  });
  return fitLogistic(trials, new Float64Array(trials[0]!.inputs.length + 1), PULL);
}

function print(name: string, coefficients: Float64Array): void {
  const rounded = [...coefficients].map((value) => value.toFixed(2));
  const [constant, lnExamples, lnIntents, ...signals] = rounded.toReversed();
  console.log(
    `${name}: [${signals.toReversed().join(", ")}] ln intents ${lnIntents} ln examples ${lnExamples} + ${constant}`,
  );
}

function fitAll(name: string, bots: readonly SimulatedBot[]): void {
  const single = bots.filter(({ intentCount }) => intentCount === 1);
  const several = bots.filter(({ intentCount }) => intentCount > 1);
  console.log(name);
  print(
    "  oneIntent",
    fit(single, ({ isInScope }) => isInScope),
  );
  print(
    "  inScope",
    fit(several, ({ isInScope }) => isInScope),
  );
  print(
    "  correct",
    fit(several, ({ isCorrect }) => isCorrect),
  );
}

const { folder, exists } = findDataFolder();
if (!exists) {
  console.error(`No intent data sets in ${folder}. Set PARLEY_INTENT_DATA to the folder that holds them.`);
  process.exit(2);
}
const sets = SETS.map(({ name, weight, language }) => ({
  intents: trainingIntents(loadDataSet(folder, name)).filter((intent) => intent.name !== "None"),
  weight,
  language,
}));
const english = sets.filter(({ language }) => language === "en");
const sources = sets.map(({ intents, weight, language }): Source => {
  const others = language === "en" ? english.filter((other) => other.intents !== intents) : [];
  return {
    intents,
    weight,
    elsewhere: others.flatMap((other) => other.intents.flatMap(({ examples = [] }) => examples)),
    knowledge: { language, meanings: meaningsOf(language), isWeighed: true },
  };
});
const ignorant = sources.map((source) => ({ ...source, knowledge: NO_KNOWLEDGE }));
fitAll("WITHOUT_MEANINGS", simulateBots(ignorant, BOT_COUNT, 42));
fitAll("WITH_MEANINGS", simulateBots(sources, BOT_COUNT, 42));
