/** A piece of a text: plain, or one invisible character. */
type TextPiece = { kind: "text"; text: string } | { kind: "hidden"; code: string; name: string };

/** Control and formatting characters and blank letters. Line breaks and tabs are not included. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/u;

/** Scripts in which joiners are part of the spelling. */
const JOINING_LETTER =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Mn}\p{Mc}]/u;
const PICTOGRAPH = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F]/u;

const NAMES: Readonly<Record<string, string>> = {
  "U+00AD": "soft hyphen",
  "U+200B": "zero-width space",
  "U+200C": "zero-width non-joiner",
  "U+200D": "zero-width joiner",
  "U+200E": "left-to-right mark",
  "U+200F": "right-to-left mark",
  "U+202A": "left-to-right embedding",
  "U+202B": "right-to-left embedding",
  "U+202C": "pop directional formatting",
  "U+202D": "left-to-right override",
  "U+202E": "right-to-left override",
  "U+2060": "word joiner",
  "U+2066": "left-to-right isolate",
  "U+2067": "right-to-left isolate",
  "U+2068": "first strong isolate",
  "U+2069": "pop directional isolate",
  "U+3164": "Hangul filler",
  "U+FEFF": "byte order mark",
};

const codeOf = (character: string) =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;

function isHidden(characters: readonly string[], at: number): boolean {
  const character = characters[at]!;
  if (character === "\n" || character === "\t" || !HIDDEN.test(character)) return false;
  const [before = "", after = ""] = [characters[at - 1], characters[at + 1]];
  // Variation selectors choose between two looks of an emoji or digit. Several in a row may hide data.
  if (character === "\uFE0E" || character === "\uFE0F") return before === "" || HIDDEN.test(before);
  if (character !== "\u200C" && character !== "\u200D") return true;
  const isEmoji = character === "\u200D" && PICTOGRAPH.test(before) && PICTOGRAPH.test(after);
  return !isEmoji && !(JOINING_LETTER.test(before) && JOINING_LETTER.test(after));
}

/**
 * Splits a text so that invisible characters can be shown, because they may be evidence of an attack. Joiners that belong to the spelling
 * stay.
 */
export function piecesOf(text: string): TextPiece[] {
  if (!HIDDEN.test(text)) return [{ kind: "text", text }];
  const characters = Array.from(text.replaceAll("\r\n", "\n"));
  const pieces: TextPiece[] = [];
  let plain = "";
  for (const [at, character] of characters.entries()) {
    if (!isHidden(characters, at)) {
      plain += character;
      continue;
    }
    if (plain !== "") pieces.push({ kind: "text", text: plain });
    plain = "";
    const code = codeOf(character);
    pieces.push({ kind: "hidden", code, name: NAMES[code] ?? "an invisible character" });
  }
  if (plain !== "") pieces.push({ kind: "text", text: plain });
  return pieces;
}
