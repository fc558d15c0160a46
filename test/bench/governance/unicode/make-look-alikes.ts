/**
 * Makes src/governance/disguise/look-alike-letters.ts from two files that Unicode publishes:
 * `bun test/bench/governance/unicode/make-look-alikes.ts CONFUSABLES.txt UNICODE_DATA.txt`.
 * UnicodeData.txt is in Debian's package `unicode-data`, confusables.txt in the sources of its package `icu`.
 */
import { join, resolve } from "node:path";

import { type LetterTables, lettersBySource } from "./look-alike-letters.ts";
import { readConfusables, readNames } from "./unicode-files.ts";

const TARGET = join(import.meta.dir, "../../../../src/governance/disguise/look-alike-letters.ts");

const LETTERS = Array.from("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");

/** One row for each Latin letter that has look-alikes, sources in the order of their code points. */
function table(name: string, promise: string, letters: ReadonlyMap<string, string>): string {
  const rows = LETTERS.flatMap((letter) => {
    const sources = [...letters].filter(([, other]) => other === letter).map(([source]) => source);
    const sorted = sources.toSorted((left, right) => left.codePointAt(0)! - right.codePointAt(0)!);
    return sorted.length === 0 ? [] : [`  ${letter}: ${JSON.stringify(sorted.join(""))},`];
  });
  return `/** ${promise} */\nexport const ${name}: Readonly<Record<string, string>> = {\n${rows.join("\n")}\n};\n`;
}

function moduleOf({ twins, twinsAmongLatin, variants }: LetterTables): string {
  return [
    "// Made by test/bench/governance/unicode/make-look-alikes.ts from Unicode 15.0 (confusables.txt, UnicodeData.txt);",
    "// © Unicode, Inc., used under the Unicode License. Change the script, not this file.",
    "",
    table("LATIN_TWINS", "Latin letter ← letters of other alphabets that look the same.", twins),
    table(
      "TWINS_AMONG_LATIN",
      "The same for letters that are also normal in other languages, and for signs; applied only beside Latin letters.",
      twinsAmongLatin,
    ),
    table("LATIN_VARIANTS", "Latin letter ← other Latin letters used in its place.", variants),
  ].join("\n");
}

const [confusables, unicodeData] = process.argv.slice(2).map((file) => resolve(file));
if (confusables === undefined || unicodeData === undefined) {
  console.error("Name the files confusables.txt and UnicodeData.txt.");
  process.exit(2);
}
const letters = lettersBySource(readConfusables(confusables), readNames(unicodeData));
await Bun.write(TARGET, moduleOf(letters));
console.log(
  `${letters.twins.size + letters.twinsAmongLatin.size + letters.variants.size} look-alikes in ${TARGET}`,
);
