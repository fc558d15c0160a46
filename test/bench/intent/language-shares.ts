/**
 * Prints the share of the words of each data set's training texts, and of the general requests, that each language knows:
 * `bun test/bench/intent/language-shares.ts`. The bounds of src/intent/words/detect-language.ts lie between.
 */
import { meaningsOf } from "../../../src/intent/words/glossary.ts";
import { type Language, LANGUAGES } from "../../../src/text/languages.ts";
import { normaliseText } from "../../../src/text/normalise.ts";
import { isWord, TokenBuffer } from "../../../src/text/tokenise.ts";
import { hashWord } from "../../../src/text/word-hash.ts";
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

/** Share of the words of these texts, 0–1, that a language knows; as `detectLanguage` counts them. */
function shareKnownIn(language: Language, texts: readonly string[]): number {
  const tokens = new TokenBuffer();
  tokens.read(normaliseText(texts.join("\n")));
  const { codeUnits, starts, ends, count } = tokens;
  const words = Array.from({ length: count }, (_, token) => token).filter((token) =>
    isWord(codeUnits, starts[token]!, ends[token]!),
  );
  const known = words.filter((token) => {
    const hash = hashWord(codeUnits, starts[token]!, ends[token]!);
    return meaningsOf(language).findForm(hash, tokens, token) >= 0;
  });
  return known.length / words.length;
}

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
