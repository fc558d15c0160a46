import { byTable, type Disguise, type DisguiseKind, inPlainLetters } from "./characters.ts";

const ALPHABET = "abcdefghijklmnopqrstuvwxyz";
const bytesOf = (text: string): number[] => [...new TextEncoder().encode(text)];

/** Letters a–z for the letters of another row, in order. */
const toRow = (row: string): Disguise => {
  const letters = Array.from(row);
  return byTable(new Map(Array.from(ALPHABET, (letter, i) => [letter, letters[i]!])));
};

const rotatedBy = (steps: number): Disguise => toRow(ALPHABET.slice(steps) + ALPHABET.slice(0, steps));

/** ROT47: the 94 printable characters of ASCII, turned by half. */
const rot47: Disguise = (text) =>
  text.replaceAll(/[!-~]/g, (sign) => String.fromCharCode(33 + ((sign.charCodeAt(0) - 33 + 47) % 94)));

const QWERTY = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];
const shifted = new Map(
  QWERTY.flatMap((row) =>
    Array.from(row, (letter, i): [string, string] => [letter, row[(i + 1) % row.length]!]),
  ),
);
/** The letters that the same keys type on a Russian keyboard. */
const RUSSIAN_KEYS = "фисвуапршолдьтщзйкыегмцчня";
/** The keys of a telephone, ITU-T E.161. */
const TELEPHONE_KEYS = "22233344455566677778889999";
/** Braille letters, as dots in Unicode's block. */
const BRAILLE = "⠁⠃⠉⠙⠑⠋⠛⠓⠊⠚⠅⠇⠍⠝⠕⠏⠟⠗⠎⠞⠥⠧⠺⠭⠽⠵";
/** ITU-R M.1677. */
const MORSE =
  ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --..".split(
    " ",
  );
/** The spelling alphabet of the ICAO. */
const ICAO =
  "alfa bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey xray yankee zulu".split(
    " ",
  );

/** Letters as words, with a sign between words of the text. */
const inWords =
  (words: readonly string[], gap: string): Disguise =>
  (text) =>
    inPlainLetters(text)
      .split(/\s+/)
      .map((word) => Array.from(word, (letter) => words[ALPHABET.indexOf(letter)] ?? letter).join(" "))
      .join(gap);

/** RFC 4648, section 6, unpadded. */
function base32(text: string): string {
  const bits = bytesOf(text)
    .map((byte) => byte.toString(2).padStart(8, "0"))
    .join("");
  const fives = bits.match(/.{1,5}/g) ?? [];
  return fives
    .map((five) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[Number.parseInt(five.padEnd(5, "0"), 2)]!)
    .join("");
}

/** Ascii85 without its brackets. */
function ascii85(text: string): string {
  const bytes = bytesOf(text);
  let encoded = "";
  for (let i = 0; i < bytes.length; i += 4) {
    let value = [0, 1, 2, 3].reduce((sum, k) => sum * 256 + (bytes[i + k] ?? 0), 0);
    let five = "";
    for (let k = 0; k < 5; k++, value = Math.floor(value / 85))
      five = String.fromCharCode(33 + (value % 85)) + five;
    encoded += five;
  }
  return encoded;
}

/** Letters on the rails of a fence with two rails. */
const railFence = (text: string): string => {
  const letters = Array.from(text);
  return [0, 1].map((rail) => letters.filter((_, i) => i % 2 === rail).join("")).join("");
};

/** Well-known ciphers and encodings, without those that the code knows (ROT13, Base64, hexadecimal …). */
export const CIPHERS: readonly DisguiseKind[] = [
  { name: "ROT1", disguise: rotatedBy(1) },
  { name: "ROT7", disguise: rotatedBy(7) },
  { name: "ROT47", disguise: rot47 },
  { name: "Atbash", disguise: toRow(Array.from(ALPHABET).toReversed().join("")) },
  { name: "keys beside the right ones", disguise: byTable(shifted) },
  { name: "keys of a Russian keyboard", disguise: toRow(RUSSIAN_KEYS) },
  { name: "keys of a telephone", disguise: toRow(TELEPHONE_KEYS) },
  {
    name: "numbers of letters",
    disguise: inWords(
      Array.from(ALPHABET, (_, i) => String(i + 1)),
      " / ",
    ),
  },
  { name: "Braille", disguise: toRow(BRAILLE) },
  { name: "Morse code", disguise: inWords(MORSE, " / ") },
  { name: "spelling alphabet", disguise: inWords(ICAO, ", ") },
  { name: "Base32", disguise: base32 },
  { name: "Ascii85", disguise: ascii85 },
  { name: "Base64 of UTF-16", disguise: (text) => Buffer.from(text, "utf16le").toString("base64") },
  { name: "decimal codes", disguise: (text) => bytesOf(text).join(" ") },
  {
    name: "octal escapes",
    disguise: (text) =>
      bytesOf(text)
        .map((byte) => `\\${byte.toString(8)}`)
        .join(""),
  },
  {
    name: "quoted-printable",
    disguise: (text) =>
      bytesOf(text)
        .map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, "0")}`)
        .join(""),
  },
  {
    name: "percent encoding, twice",
    isKnown: true,
    disguise: (text) =>
      bytesOf(text)
        .map((byte) => `%25${byte.toString(16).padStart(2, "0")}`)
        .join(""),
  },
  { name: "rail fence", disguise: railFence },
];
