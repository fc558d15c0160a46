import type { IntentExamples } from "../../../src/intent/training/examples.ts";
import { findDataFolder, loadDataSet, trainingIntents } from "./data-sets.ts";
import type { Source } from "./simulated-bots.ts";

/** Number of bots drawn from each data set; more from a set with more intents. */
const SETS = [
  { name: "clinc150", weight: 5, language: "en" },
  { name: "banking77", weight: 3, language: "en" },
  { name: "nlpjs_en", weight: 1, language: "en" },
  { name: "nlpjs_es", weight: 1, language: "es" },
  { name: "nlpjs_fr", weight: 1, language: "fr" },
  { name: "nlpjs_it", weight: 1, language: "it" },
  { name: "askubuntu", weight: 1, language: "en" },
  { name: "chatbot", weight: 0.5, language: "en" },
] as const;
type SetName = (typeof SETS)[number]["name"];

/** The folder of the data sets. Ends the script where it is not there. */
export function dataFolder(): string {
  const { folder, exists } = findDataFolder();
  if (!exists) {
    console.error(`No intent data sets in ${folder}. Set PARLEY_INTENT_DATA to the folder that holds them.`);
    process.exit(2);
  }
  return folder;
}

/** The training splits of eight public data sets. */
export function calibrationSources(): Source[] {
  return sourcesOf(SETS, ({ name }) => trainingIntents(loadDataSet(dataFolder(), name)));
}

/**
 * The lines that the encoder was not trained on: none of BANKING77, and of CLINC150 the lines for validation, no more than of any other, because it
 * knows its intents.
 */
export function unseenSources(): Source[] {
  const unseen = SETS.filter(({ name }) => name !== "banking77").map((set) => ({
    ...set,
    weight: 1,
  }));
  return sourcesOf(unseen, ({ name }) =>
    trainingIntents(loadDataSet(dataFolder(), name), { split: name === "clinc150" ? "valid" : "train" }),
  );
}

function sourcesOf(
  sets: readonly { name: SetName; weight: number; language: string }[],
  intentsOf: (set: { name: SetName }) => IntentExamples[],
): Source[] {
  const read = sets.map((set) => ({
    ...set,
    intents: intentsOf(set).filter((intent) => intent.name !== "None"),
  }));
  return read.map(({ name, intents, weight, language }) => {
    const others = language === "en" ? read.filter((set) => set.language === "en" && set.name !== name) : [];
    const elsewhere = others.flatMap((other) => other.intents.flatMap(({ examples = [] }) => examples));
    return { intents, weight, language, elsewhere };
  });
}
