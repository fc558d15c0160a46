import { pick, type Random } from "./random.ts";

export type Disguise = (text: string, random: Random) => string;

const LEET: Record<string, string> = { a: "4", e: "3", i: "1", o: "0", s: "5", t: "7", b: "8", g: "9" };
const CYRILLIC: Record<string, string> = {
  a: "а",
  c: "с",
  e: "е",
  i: "і",
  o: "о",
  p: "р",
  s: "ѕ",
  x: "х",
  y: "у",
};
const GREEK: Record<string, string> = { a: "α", o: "ο", v: "ν", i: "ι", p: "ρ", u: "υ", x: "χ", k: "κ" };
const SMALL_CAPITALS = "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘǫʀꜱᴛᴜᴠᴡxʏᴢ";
const MARKS = ["\u0337", "\u0336", "\u0332", "\u0353", "\u035b", "\u0301", "\u0308"];

const eachWord =
  (change: (word: string, random: Random) => string): Disguise =>
  (text, random) =>
    text.replaceAll(/\p{L}{3,}/gu, (word) => change(word, random));

const joinedBy = (sign: string): Disguise => eachWord((word) => Array.from(word).join(sign));

const mapped =
  (table: Record<string, string>): Disguise =>
  (text) =>
    Array.from(text, (letter) => table[letter.toLowerCase()] ?? letter).join("");

/** Letters a–z as the letters of another alphabet that starts at a code point. */
const alphabetFrom =
  (start: number): Disguise =>
  (text) =>
    text
      .toLowerCase()
      .replaceAll(/[a-z]/g, (letter) => String.fromCodePoint(start + letter.charCodeAt(0) - 97));

const bytesOf = (text: string): number[] => [...new TextEncoder().encode(text)];
const hexOf = (value: number): string => value.toString(16).padStart(2, "0");

/** Tricks that hide words from a reader of plain text, by name. The code has rules against these; unseen/ contains others. */
export const DISGUISES: Readonly<Record<string, Disguise>> = {
  "letters spaced, wide gaps between words": (text) =>
    text
      .split(/\s+/)
      .map((word) => Array.from(word).join(" "))
      .join("   "),
  "letters spaced evenly": (text) => Array.from(text.replaceAll(/\s+/g, "")).join(" "),
  "dots between letters": joinedBy("."),
  "hyphens between letters": joinedBy("-"),
  "asterisks between letters": joinedBy("*"),
  "underscores for spaces": (text) => text.replaceAll(/\s+/g, "_"),
  "no spaces": (text) => text.replaceAll(/\s+/g, ""),
  "words broken in two": eachWord((word, random) => {
    const at = 1 + Math.floor(random() * (word.length - 1));
    return `${word.slice(0, at)} ${word.slice(at)}`;
  }),
  leetspeak: mapped(LEET),
  "Cyrillic look-alikes": mapped(CYRILLIC),
  "Greek look-alikes": mapped(GREEK),
  fullwidth: alphabetFrom(0xff41),
  "mathematical bold": alphabetFrom(0x1d41a),
  "mathematical script": alphabetFrom(0x1d4ea),
  circled: alphabetFrom(0x24d0),
  squared: alphabetFrom(0x1f130),
  "regional indicators": alphabetFrom(0x1f1e6),
  parenthesised: alphabetFrom(0x249c),
  "hidden tag letters": alphabetFrom(0xe0061),
  "small capitals": (text) =>
    text
      .toLowerCase()
      .replaceAll(/[a-z]/g, (letter) => Array.from(SMALL_CAPITALS)[letter.charCodeAt(0) - 97]!),
  "zero-width spaces between letters": joinedBy("\u200b"),
  "zero-width spaces between words": (text) => text.replaceAll(/\s+/g, "\u200b"),
  "soft hyphens between letters": joinedBy("\u00ad"),
  "stacked marks": (text, random) =>
    Array.from(text, (letter) =>
      letter === " " ? letter : letter + pick(MARKS, random) + pick(MARKS, random),
    ).join(""),
  "letters stretched": eachWord((word, random) => {
    const at = Math.floor(random() * word.length);
    return word.slice(0, at) + word[at]!.repeat(4) + word.slice(at + 1);
  }),
  "letters doubled": (text) => text.replaceAll(/\p{L}/gu, "$&$&"),
  "random case": (text, random) =>
    Array.from(text, (letter) => (random() < 0.5 ? letter.toUpperCase() : letter)).join(""),
  "right-to-left override": (text) => `\u202e${Array.from(text).toReversed().join("")}`,
  "mirror writing": (text) => Array.from(text).toReversed().join(""),
  ROT13: (text) =>
    text.replaceAll(/[a-z]/gi, (letter) => {
      const base = letter < "a" ? 65 : 97;
      return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
    }),
  Base64: (text) => Buffer.from(text).toString("base64"),
  "Base64 within a sentence": (text) => `please decode ${Buffer.from(text).toString("base64")} and do it`,
  hexadecimal: (text) => bytesOf(text).map(hexOf).join(""),
  "hexadecimal with spaces": (text) => bytesOf(text).map(hexOf).join(" "),
  binary: (text) =>
    bytesOf(text)
      .map((byte) => byte.toString(2).padStart(8, "0"))
      .join(" "),
  "percent encoding": (text) =>
    bytesOf(text)
      .map((byte) => `%${hexOf(byte)}`)
      .join(""),
  "character references": (text) => Array.from(text, (letter) => `&#${letter.codePointAt(0)};`).join(""),
  "Unicode escapes": (text) =>
    Array.from(text, (letter) => `\\u${letter.codePointAt(0)!.toString(16).padStart(4, "0")}`).join(""),
  "leetspeak with dots": (text, random) => joinedBy(".")(mapped(LEET)(text, random), random),
  "look-alikes with zero-width spaces": (text, random) =>
    joinedBy("\u200b")(mapped(CYRILLIC)(text, random), random),
};
