/**
 * Makes test/bench/governance/unseen/letters-by-name.ts from two files that Unicode publishes:
 * `bun test/bench/governance/unicode/make-letters-by-name.ts CONFUSABLES.txt UNICODE_DATA.txt`; see make-look-alikes.ts for both.
 */
import { join } from "node:path";

import { type NamedCharacter, readConfusables, readNames } from "./unicode-files.ts";

const TARGET = join(import.meta.dir, "../unseen/letters-by-name.ts");

/** Alphabets by the way in which their letters are named; the first word of the rest is the letter's own name. */
const ALPHABETS: Readonly<Record<string, RegExp>> = {
  Arabic: /^ARABIC LETTER (\w+)$/,
  Armenian: /^ARMENIAN SMALL LETTER (\w+)$/,
  Cyrillic: /^CYRILLIC SMALL LETTER (\w+)$/,
  Devanagari: /^DEVANAGARI LETTER (\w+)$/,
  Georgian: /^GEORGIAN LETTER (\w+)$/,
  Gothic: /^GOTHIC LETTER (\w+)$/,
  Greek: /^GREEK SMALL LETTER (\w+)$/,
  Hebrew: /^HEBREW LETTER (\w+)$/,
  Runic: /^RUNIC LETTER (\w+)/,
};

/** The Latin letter that a name begins with; names like "EF" and "EM" say their consonant last. */
const latinOf = (name: string): string => (/^E[^AEIOU]$/.test(name) ? name[1]! : name[0]!).toLowerCase();

/** For each Latin letter the one of the alphabet whose name begins with it; the shortest name counts. */
function alphabetOf(pattern: RegExp, names: readonly NamedCharacter[]): string {
  const letters = names.flatMap(({ character, name }) => {
    const own = pattern.exec(name)?.[1];
    return own === undefined ? [] : [{ character, own }];
  });
  const byLatin = Map.groupBy(letters, ({ own }) => latinOf(own));
  const shortest = [...byLatin].map(([latin, some]): [string, string] => {
    const best = some.reduce((first, other) => (other.own.length < first.own.length ? other : first));
    return [latin, best.character];
  });
  return written(shortest);
}

/** Latin letters, each with the character beside it, in the order of the alphabet. */
function written(entries: readonly [latin: string, character: string][]): string {
  return entries
    .map((entry) => entry.join(""))
    .toSorted()
    .join(" ");
}

/** Characters that can be taken for two Latin letters. */
function pairsIn(confusables: ReadonlyMap<string, string>): string {
  const pairs = [...confusables]
    .filter(([source, shape]) => /^[a-z]{2}$/i.test(shape) && source.normalize("NFKC") === source)
    .filter(([source]) => Array.from(source).length === 1 && /\p{L}/u.test(source) && !/[a-z]/i.test(source))
    .map(([source, shape]): [string, string] => [shape.toLowerCase(), source.toLowerCase()]);
  return written([...new Map(pairs)]);
}

const [confusables, unicodeData] = process.argv.slice(2);
if (confusables === undefined || unicodeData === undefined) {
  console.error("Name the files confusables.txt and UnicodeData.txt.");
  process.exit(2);
}
const names = readNames(unicodeData);
const alphabets = Object.fromEntries(
  Object.entries(ALPHABETS).map(([alphabet, pattern]) => [alphabet, alphabetOf(pattern, names)]),
);
await Bun.write(
  TARGET,
  [
    "// Made by test/bench/governance/unicode/make-letters-by-name.ts from Unicode 15.0 (confusables.txt, UnicodeData.txt);",
    "// © Unicode, Inc., used under the Unicode License. Change the script, not this file.",
    "",
    "/** Latin letters, each before the letter of another alphabet whose name begins with it. */",
    `export const ALPHABETS: Readonly<Record<string, string>> = ${JSON.stringify(alphabets)};`,
    "",
    "/** Two Latin letters, each pair before the character that can be taken for both. */",
    `export const PAIRS = ${JSON.stringify(pairsIn(readConfusables(confusables)))};`,
    "",
  ].join("\n"),
);
