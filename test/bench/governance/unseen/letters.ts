import {
  LATIN_TWINS,
  LATIN_VARIANTS,
  TWINS_AMONG_LATIN,
} from "../../../../src/governance/disguise/look-alike-letters.ts";
import {
  byChoice,
  byTable,
  charactersLike,
  type DisguiseKind,
  forSpaces,
  onLetters,
  between,
} from "./characters.ts";
import { ALPHABETS, PAIRS } from "./letters-by-name.ts";

/** "aа bб" as a table from Latin letters to the character behind them. */
function tableOf(written: string): Map<string, string> {
  return new Map(
    written.split(" ").map((entry): [string, string] => {
      const latin = /^[a-z]+/.exec(entry)![0];
      return [latin, entry.slice(latin.length)];
    }),
  );
}

const pairs = tableOf(PAIRS);

/** Two letters as one character, and "m" as "rn". */
const asPairs = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll("m", "rn")
    .replaceAll(new RegExp([...pairs.keys()].filter((pair) => pair !== "rn").join("|"), "g"), (pair) =>
      pairs.get(pair)!,
    );

function lookAlikes(): Map<string, string[]> {
  const all = [LATIN_TWINS, TWINS_AMONG_LATIN, LATIN_VARIANTS].flatMap((table) => Object.entries(table));
  return new Map(
    [...Map.groupBy(all, ([letter]) => letter.toLowerCase())].map(([letter, rows]) => [
      letter,
      rows.flatMap(([, characters]) => Array.from(characters)),
    ]),
  );
}

function compatibilityForms(): Map<string, string[]> {
  return Map.groupBy(
    charactersLike(/[\p{L}\p{N}\p{So}]/u).filter(
      (character) => /^[a-z]$/i.test(character.normalize("NFKC")) && character > "\u007f",
    ),
    (character) => character.normalize("NFKC").toLowerCase(),
  );
}

/** Disguises whose characters come from properties and names in Unicode's data. */
export const UNICODE_DISGUISES: readonly DisguiseKind[] = [
  { name: "look-alikes of any script", disguise: byChoice(lookAlikes()), isKnown: true },
  { name: "compatibility forms of any kind", disguise: byChoice(compatibilityForms()), isKnown: true },
  {
    name: "stacked marks of any kind",
    disguise: onLetters(charactersLike(/[\u{300}-\u{36f}]|[\u{1ab0}-\u{1aff}]|[\u{1dc0}-\u{1dff}]/u)),
    isKnown: true,
  },
  { name: "format characters between letters", disguise: between(charactersLike(/\p{Cf}/u)), isKnown: true },
  {
    name: "other white space for spaces",
    disguise: forSpaces(charactersLike(/[\p{White_Space}--[\u0085]]/v)),
    isKnown: true,
  },
  {
    name: "marks of other scripts",
    isKnown: true,
    disguise: onLetters(
      charactersLike(
        /[\p{Mn}--[\p{Script=Inherited}\p{Script=Latin}\p{Script=Cyrillic}\p{Default_Ignorable_Code_Point}]]/v,
      ),
    ),
  },
  { name: "spacing marks of other scripts", disguise: onLetters(charactersLike(/\p{Mc}/u)) },
  {
    name: "variation selectors",
    isKnown: true,
    disguise: onLetters(charactersLike(/\p{Variation_Selector}/u)),
  },
  {
    name: "other unseen characters",
    disguise: between(charactersLike(/[\p{Default_Ignorable_Code_Point}--[\p{Cf}\p{Variation_Selector}]]/v)),
  },
  {
    name: "modifier letters between letters",
    disguise: between(charactersLike(/[\p{Lm}--\p{Script=Latin}]/v)),
  },
  { name: "next-line characters for spaces", disguise: forSpaces(["\u0085"]) },
  {
    name: "dashes of any kind between letters",
    isKnown: true,
    disguise: between(charactersLike(/\p{Dash}/u)),
  },
  {
    name: "quotation marks between letters",
    isKnown: true,
    disguise: between(charactersLike(/\p{Quotation_Mark}/u)),
  },
  {
    name: "mathematical signs between letters",
    isKnown: true,
    disguise: between(charactersLike(/[\p{Math}&&\p{Sm}]/v)),
  },
  {
    name: "emoji between letters",
    isKnown: true,
    disguise: between(charactersLike(/[\p{Emoji_Presentation}--\p{Regional_Indicator}]/v)),
  },
  {
    name: "punctuation of other scripts for spaces",
    isKnown: true,
    disguise: forSpaces(charactersLike(/[\p{Terminal_Punctuation}--\p{ASCII}]/v)),
  },
  { name: "digits of other scripts between letters", disguise: between(charactersLike(/[\p{Nd}--[0-9]]/v)) },
  { name: "two letters as one character", disguise: asPairs },
  ...Object.entries(ALPHABETS).map(([alphabet, letters]) => ({
    name: `${alphabet} letters by their names`,
    disguise: byTable(tableOf(letters)),
  })),
];
