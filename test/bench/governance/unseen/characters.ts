import { pick, type Random } from "../random.ts";

/** Changes how a text is written. */
export type Disguise = (text: string, random: Random) => string;

/** A disguise, and whether the code has a rule for that kind: such kinds tell how well the rule holds on characters drawn at random. */
export interface DisguiseKind {
  name: string;
  disguise: Disguise;
  isKnown?: true;
}

/** Every assigned character that matches a pattern of Unicode properties, by the engine's data. */
export function charactersLike(pattern: RegExp): string[] {
  const characters: string[] = [];
  for (let point = 0x20; point < 0x11_00_00; point++) {
    if (point >= 0xd8_00 && point < 0xe0_00) continue;
    const character = String.fromCodePoint(point);
    if (pattern.test(character) && !/[\p{Cn}\p{Co}]/u.test(character)) characters.push(character);
  }
  return characters;
}

/** A random one of some characters between every two letters of a word. */
export function between(characters: readonly string[]): Disguise {
  return (text, random) => text.replaceAll(/(?<=\p{L})(?=\p{L})/gu, () => pick(characters, random));
}

/** A random one of some marks on every letter. */
export function onLetters(marks: readonly string[]): Disguise {
  return (text, random) => text.replaceAll(/\p{L}/gu, (letter) => letter + pick(marks, random));
}

/** A random one of some characters for every space. */
export function forSpaces(characters: readonly string[]): Disguise {
  return (text, random) => text.replaceAll(/\s+/gu, () => pick(characters, random));
}

/** Lower-case letters a–z without their marks, as most tables write them. */
export const inPlainLetters = (text: string): string =>
  text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

/** Replaces letters a–z that have an entry in a table. */
export function byTable(table: ReadonlyMap<string, string> | Readonly<Record<string, string>>): Disguise {
  const entries = table instanceof Map ? table : new Map(Object.entries(table));
  return (text) => Array.from(inPlainLetters(text), (letter) => entries.get(letter) ?? letter).join("");
}

/** A random one of the characters that stand for a letter, for every letter that has some. */
export function byChoice(choices: ReadonlyMap<string, readonly string[]>): Disguise {
  return (text, random) =>
    Array.from(inPlainLetters(text), (letter) => {
      const some = choices.get(letter);
      return some === undefined ? letter : pick(some, random);
    }).join("");
}
