/** What signs and digits stand for in "leetspeak"; `i` is also `l`, as a "1" may be either. */
const DIGITS = {
  "0": "o",
  "1": "i",
  "2": "z",
  "3": "e",
  "4": "a",
  "5": "s",
  "6": "g",
  "7": "t",
  "8": "b",
  "9": "g",
};
const SIGNS = { "@": "a", $: "s", "!": "i", "|": "i", "+": "t", "(": "c", "<": "c" };

const ASCII = 0x80;
/** The letter that an ASCII character stands for, from 1 on; 0 for none. */
const lettersOfWords = lettersBy(DIGITS);
const lettersOfSigns = lettersBy(SIGNS);

function lettersBy(clothes: Readonly<Record<string, string>>): Uint8Array {
  const letters = new Uint8Array(ASCII);
  for (const [character, letter] of Object.entries(clothes)) {
    letters[character.charCodeAt(0)] = letter.charCodeAt(0) - 0x60;
  }
  return letters;
}

/** A letter as a skeleton has it, from 1 on; 0 where the character is left out. `withSigns`: whether "@" and the like are letters. */
export function boneOf(codeUnit: number, withSigns: boolean): number {
  if (codeUnit >= 0x61 && codeUnit <= 0x7a) return codeUnit === LOWER_L ? LIKE_L : codeUnit - 0x60;
  if (codeUnit >= ASCII) return 0;
  const letter = lettersOfWords[codeUnit]!;
  return letter === 0 && withSigns ? lettersOfSigns[codeUnit]! : letter;
}

const LOWER_L = 0x6c;
/** The letter i. */
const LIKE_L = 9;

/**
 * The letters of a normalised text without anything between them, repeated ones once, leetspeak undone: what most disguises leave of a word.
 * The skeleton of a text contains those of its words, and more than those.
 */
export function skeletonOf(normalised: string, withSigns: boolean): string {
  let skeleton = "";
  let last = 0;
  for (let i = 0; i < normalised.length; i++) {
    const bone = boneOf(normalised.charCodeAt(i), withSigns);
    if (bone === 0 || bone === last) continue;
    skeleton += String.fromCharCode(bone + 0x60);
    last = bone;
  }
  return skeleton;
}
