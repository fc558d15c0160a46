/** Letters for signs and digits in leetspeak; `i` also stands for `l`, because "1" can be either. */
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
/** The letter for each ASCII character, from 1 on; 0 for none. */
const lettersOfWords = lettersBy(DIGITS);
const lettersOfSigns = lettersBy(SIGNS);

function lettersBy(clothes: Readonly<Record<string, string>>): Uint8Array {
  const letters = new Uint8Array(ASCII);
  for (const [character, letter] of Object.entries(clothes)) {
    letters[character.charCodeAt(0)] = letter.charCodeAt(0) - 0x60;
  }
  return letters;
}

/** The skeleton letter of a character, from 1 on; 0 if it is skipped. `withSigns`: whether "@" and similar signs count as letters. */
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
 * The letters of a normalised text without anything in between, with repetitions and leetspeak removed: what remains of a word in most
 * disguises. The skeleton of a text contains the skeletons of its words, but may contain others.
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
