import { meaningsOf } from "../../../src/intent/words/glossary.ts";
import { NO_KNOWLEDGE } from "../../../src/intent/words/word-knowledge.ts";
import type { Language } from "../../../src/text/languages.ts";
import { findDataFolder, loadDataSet, trainingIntents } from "./data-sets.ts";
import type { Source } from "./simulated-bots.ts";

/** How often a bot is drawn from each data set: more often where it has more intents. */
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

/** The training splits of eight public data sets, whose bots know their language. Ends the script where they are not there. */
export function calibrationSources(): Source[] {
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
  return sets.map(({ intents, weight, language }) => {
    const others = language === "en" ? english.filter((other) => other.intents !== intents) : [];
    return {
      intents,
      weight,
      elsewhere: others.flatMap((other) => other.intents.flatMap(({ examples = [] }) => examples)),
      knowledge: { language, meanings: meaningsOf(language), isWeighed: true },
    };
  });
}

/** The same sources, whose bots know nothing beforehand. */
export function withoutKnowledge(sources: readonly Source[]): Source[] {
  return sources.map((source) => ({ ...source, knowledge: NO_KNOWLEDGE }));
}
