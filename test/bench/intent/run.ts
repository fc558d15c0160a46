/**
 * `npm run bench:intent`: trains on public data sets, reads each test split once, and prints each figure beside its goal.
 * `npm run bench:intent -- governance` measures governance alone; with `--list` the adversary's requests that were answered are named.
 * `npm run bench:intent -- --fit` fits every constant of the engine, and prints it; `--fit sentences` only those of the encoder.
 * The folder of the data sets comes from PARLEY_INTENT_DATA; each holds a `data.jsonl` of {"text", "intent", "split"}.
 */
import { benchAdversary } from "../governance/adversary/run.ts";
import { benchGovernance } from "../governance/run.ts";
import { dataFolder } from "./calibration-sources.ts";
import { loadDataSet } from "./data-sets.ts";
import { fitClassifier } from "./fit-classifier.ts";
import { fitLeaning } from "./fit-leaning.ts";
import { fitSentences } from "./fit-sentences.ts";
import { atLeast, type Figure, measureClinc, measureSmallBot, testAccuracy } from "./measures.ts";

const OTHER_SETS: readonly { name: string; set: string; examples?: number; goal: number }[] = [
  { name: "BANKING77", set: "banking77", goal: 0.932 },
  { name: "BANKING77, 10 per intent", set: "banking77", examples: 10, goal: 0.815 },
  { name: "BANKING77, 5 per intent", set: "banking77", examples: 5, goal: 0.74 },
  { name: "AskUbuntu", set: "askubuntu", goal: 0.935 },
  { name: "WebApplications", set: "webapps", goal: 0.86 },
  { name: "Chatbot", set: "chatbot", goal: 0.99 },
  { name: "NLP.js corpus, Spanish", set: "nlpjs_es", goal: 0.91 },
  { name: "NLP.js corpus, French", set: "nlpjs_fr", goal: 0.87 },
  { name: "NLP.js corpus, Italian", set: "nlpjs_it", goal: 0.91 },
  { name: "NLP.js corpus, English (recipe 0.914)", set: "nlpjs_en", goal: 0.914 },
  { name: "CLINC150 imbalanced (recipe 0.922)", set: "clinc150_imbalanced", goal: 0.922 },
];

function print({ name, goal, measured, isMet }: Figure): void {
  const mark = isMet === undefined ? " " : isMet ? "✓" : "✗";
  console.log(`${mark} ${name.padEnd(50)} ${goal.padStart(11)} ${measured.padStart(11)}`);
}

const folder = dataFolder();
function benchIntents(): void {
  console.log(`  ${"".padEnd(50)} ${"goal".padStart(11)} ${"measured".padStart(11)}`);
  const clinc = loadDataSet(folder, "clinc150");
  for (const figure of [...measureClinc(clinc), ...measureSmallBot(clinc)]) print(figure);
  for (const { name, set, examples, goal } of OTHER_SETS) {
    print(atLeast(name, goal, testAccuracy(loadDataSet(folder, set), examples)));
  }
}

const [first, part] = process.argv.slice(2);
if (first === "--fit") {
  if (part !== "sentences") fitClassifier();
  fitSentences();
  fitLeaning();
} else {
  if (!process.argv.includes("governance")) benchIntents();
  benchGovernance(folder);
  await benchAdversary(process.argv.includes("--list"));
}
