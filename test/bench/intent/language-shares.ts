/**
 * Prints the share of the words of each data set's training texts, and of the general requests, that each language knows:
 * `bun test/bench/intent/language-shares.ts`. The bounds of src/intent/words/detect-language.ts lie between.
 */
import { shareKnownIn } from "../../../src/intent/words/detect-language.ts";
import { LANGUAGES } from "../../../src/text/languages.ts";
import { generalRequestsIn } from "../../support/general-requests.ts";
import { findDataFolder, loadDataSet, trainingIntents } from "./data-sets.ts";

const SETS = [
  "clinc150",
  "banking77",
  "askubuntu",
  "webapps",
  "chatbot",
  "nlpjs_en",
  "nlpjs_es",
  "nlpjs_fr",
  "nlpjs_it",
];

function print(name: string, texts: readonly string[]): void {
  const shares = LANGUAGES.map((language) => shareKnownIn(language, texts).toFixed(2).padStart(6));
  console.log(name.padEnd(24) + shares.join(""));
}

console.log("".padEnd(24) + LANGUAGES.map((language) => language.padStart(6)).join(""));
const { folder, exists } = findDataFolder();
if (exists) {
  for (const name of SETS) {
    print(
      name,
      trainingIntents(loadDataSet(folder, name)).flatMap(({ examples = [] }) => examples),
    );
  }
}
for (const language of LANGUAGES) print(`general requests, ${language}`, generalRequestsIn(language));
