import { shuffled, type Random } from "../random.ts";
import type { Disguise, DisguiseKind } from "./characters.ts";

const eachWord =
  (change: (word: string, random: Random) => string): Disguise =>
  (text, random) =>
    text.replaceAll(/\p{L}+/gu, (word) => change(word, random));

const eachLetter =
  (change: (letter: string) => string): Disguise =>
  (text) =>
    text.replaceAll(/\p{L}/gu, change);

const isVowel = (letter: string): boolean => /[aeiou]/i.test(letter);

/** Spellings that sound alike in English. */
const SOUNDS: readonly (readonly [RegExp, string])[] = [
  [/ph/gi, "f"],
  [/ck|c(?=[aoukrlt])|q(?:u)?/gi, "k"],
  [/c(?=[eiy])/gi, "s"],
  [/x/gi, "ks"],
  [/ee|ea/gi, "ii"],
  [/oo|ou/gi, "uw"],
  [/s(?=\b)/gi, "z"],
  [/igh/gi, "y"],
  [/(?<=[a-z]{2})e\b/gi, ""],
];
/** Numbers and letters that sound like words. */
const SAID: Readonly<Record<string, string>> = {
  to: "2",
  too: "2",
  two: "2",
  for: "4",
  four: "4",
  you: "u",
  your: "ur",
  are: "r",
  why: "y",
  be: "b",
  see: "c",
  ate: "8",
  one: "1",
  won: "1",
  please: "plz",
  and: "n",
  the: "da",
  with: "w",
  account: "acct",
  want: "wnt",
  my: "mi",
  because: "cuz",
  have: "hv",
};

const pigLatin = (word: string): string => {
  const [, onset = "", rest = ""] = /^([^aeiouáéíóúàèìòùâêîôû]*)(.*)$/iu.exec(word) ?? [];
  return rest === "" ? word : `${rest}${onset === "" ? "w" : onset}ay`;
};

const middleShuffled = (word: string, random: Random): string =>
  word.length < 4 ? word : word[0]! + shuffled(Array.from(word.slice(1, -1)), random).join("") + word.at(-1)!;

const reversedWord = (word: string): string => Array.from(word).toReversed().join("");

/** Invented spellings for which the code has no rule. */
export const SPELLINGS: readonly DisguiseKind[] = [
  {
    name: "spelt by sound",
    disguise: (text) => SOUNDS.reduce((rest, [sound, as]) => rest.replaceAll(sound, as), text),
  },
  { name: "words that sound alike", disguise: eachWord((word) => SAID[word.toLowerCase()] ?? word) },
  {
    name: "vowels left out",
    disguise: eachWord((word) => word[0]! + word.slice(1).replaceAll(/[aeiou]/gi, "")),
  },
  { name: "vowels as asterisks", disguise: eachLetter((letter) => (isVowel(letter) ? "*" : letter)) },
  { name: "letters within words shuffled", disguise: eachWord(middleShuffled) },
  { name: "each word reversed", disguise: eachWord(reversedWord) },
  { name: "words in reverse order", disguise: (text) => text.split(/\s+/).toReversed().join(" ") },
  { name: "pig Latin", disguise: eachWord(pigLatin) },
  {
    name: "robber language",
    disguise: eachLetter((letter) => (isVowel(letter) ? letter : `${letter}o${letter}`)),
  },
  { name: "x between letters", disguise: eachWord((word) => Array.from(word).join("x")) },
  {
    name: "digits between letters",
    disguise: (text, random) =>
      text.replaceAll(/(?<=\p{L})(?=\p{L})/gu, () => String(Math.floor(random() * 10))),
  },
  { name: "tags between letters", disguise: eachWord((word) => Array.from(word).join("<b></b>")) },
  { name: "letters in brackets", isKnown: true, disguise: eachLetter((letter) => `[${letter}]`) },
  { name: "a letter on each line", isKnown: true, disguise: (text) => Array.from(text).join("\n") },
  {
    name: "words as hashtags",
    isKnown: true,
    disguise: (text) =>
      text
        .split(/\s+/)
        .map((word) => `#${word}`)
        .join(""),
  },
  {
    name: "words run together with capitals",
    isKnown: true,
    disguise: (text) =>
      text
        .split(/\s+/)
        .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
        .join(""),
  },
];
