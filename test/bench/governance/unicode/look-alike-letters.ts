import { normaliseText } from "../../../../src/text/normalise.ts";
import type { NamedCharacter } from "./unicode-files.ts";

/** Latin letters by the characters that look like them. */
export interface LetterTables {
  /** Letters of other alphabets. */
  twins: Map<string, string>;
  /** Signs, and characters of honest words in other languages; look-alikes only beside Latin letters. */
  twinsAmongLatin: Map<string, string>;
  /** Letters of the Latin script. */
  variants: Map<string, string>;
}

/**
 * Shapes that Unicode calls no look-alikes of the letter, and that generators of "fancy text" and lettering in the Russian manner
 * use for it. Those generators write a small capital Q as o with ogonek, and c upside down as open o.
 */
const USED_ANYWAY: Readonly<Record<string, string>> = {
  b: "βь",
  c: "ɔ",
  d: "ժ",
  e: "єεҿ",
  f: "ϝ",
  g: "ԍ",
  k: "кκ",
  l: "ӏ",
  m: "м",
  n: "пηŋ",
  o: "သ",
  q: "ǫ",
  t: "тτ",
  u: "ц",
  w: "ω",
  x: "χ",
  Q: "Ԛ",
  U: "Ц",
};

/** The forms of a Latin letter that Unicode names after it. */
const NAMED_FORM =
  /^LATIN (?:(?:SMALL|CAPITAL) LETTER|LETTER) (SMALL CAPITAL )?(?:(?:TURNED|BARRED|SCRIPT|OPEN|REVERSED|DOTLESS|SIDEWAYS|INSULAR) )*([A-Z])(?: WITH .*| BAR)?$/;
const ENCLOSED_FORM =
  /^(?:(?:CROSSED )?NEGATIVE (?:SQUARED|CIRCLED) LATIN CAPITAL LETTER|REGIONAL INDICATOR SYMBOL LETTER) ([A-Z])$/;

const CASED_IN_DAILY_USE = /[\p{Script=Armenian}\p{Script=Cyrillic}\p{Script=Georgian}\p{Script=Greek}]/u;
/** UAX #31, table 5, without those that have capital letters. */
const UNCASED_IN_DAILY_USE =
  /[\p{Script=Arabic}\p{Script=Bengali}\p{Script=Bopomofo}\p{Script=Devanagari}\p{Script=Ethiopic}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Han}\p{Script=Hangul}\p{Script=Hebrew}\p{Script=Hiragana}\p{Script=Kannada}\p{Script=Katakana}\p{Script=Khmer}\p{Script=Lao}\p{Script=Malayalam}\p{Script=Myanmar}\p{Script=Oriya}\p{Script=Sinhala}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Thaana}\p{Script=Thai}\p{Script=Tibetan}]/u;
/** Look like "o" and "f", and make whole words of Greek and Armenian readable as Latin. */
const HONEST_LETTERS = "σք";

const withoutMarks = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "");

/**
 * Whether a character is for the table: a letter, digit or sign that the classifier does not read as a Latin letter anyway, beyond
 * Latin-1, whose signs stand in honest text ("2×M").
 */
function isOfTable(character: string): boolean {
  const isPlain = withoutMarks(character) === character && character.normalize("NFKC") === character;
  const isHonest = character <= "\u00ff" || normaliseText(character) <= "\u007f";
  return isPlain && !isHonest && /[\p{L}\p{N}\p{Sm}\p{So}]/u.test(character);
}

/** The letters that Unicode names a character after, small capitals first. */
function namedForms(names: readonly NamedCharacter[]): Map<string, string> {
  const [smallCapitals, others]: [string, string][][] = [[], []];
  for (const { character, name } of names) {
    const [, smallCapital, letter] = NAMED_FORM.exec(name) ?? [];
    if (letter !== undefined)
      (smallCapital ? smallCapitals : others)!.push([character, letter.toLowerCase()]);
  }
  return new Map([...smallCapitals!, ...others!]);
}

/** A letter that shapes like this one are read as, and whether Unicode gives that shape to the ASCII letter itself. */
interface ReadAs {
  letter: string;
  isDirect: boolean;
}

/** The ASCII letter for each shape: the one that has it, else the one that a character of this shape is named after. */
function lettersByShape(
  shapeOf: (character: string) => string,
  forms: ReadonlyMap<string, string>,
): Map<string, ReadAs> {
  const byShape = new Map<string, ReadAs>();
  const offer = (shape: string, read: ReadAs): void => void (byShape.has(shape) || byShape.set(shape, read));
  // "l" before "I", which has the same shape.
  for (const letter of "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") {
    offer(shapeOf(letter), { letter, isDirect: true });
  }
  for (const [character, letter] of forms) {
    const shape = withoutMarks(shapeOf(character));
    offer(shape, { letter: byShape.get(shape)?.letter ?? letter, isDirect: false });
  }
  return byShape;
}

/** The letter in the case of the look-alike; a capital with the shape of "l" is an "I". */
function inCaseOf(character: string, letter: string): string {
  if (/\p{Lu}/u.test(character)) return letter === "l" ? "I" : letter.toUpperCase();
  return /\p{Ll}/u.test(character) ? letter.toLowerCase() : letter;
}

function tableOf(character: string, isDirect: boolean, tables: LetterTables): Map<string, string> {
  if (/\p{Script=Latin}/u.test(character)) return tables.variants;
  const isHonest =
    UNCASED_IN_DAILY_USE.test(character) ||
    /\P{L}/u.test(character) ||
    HONEST_LETTERS.includes(character) ||
    (CASED_IN_DAILY_USE.test(character) && !isDirect);
  return isHonest ? tables.twinsAmongLatin : tables.twins;
}

/** Every character that resembles a Latin letter according to Unicode's data, by kind. */
export function lettersBySource(
  confusables: ReadonlyMap<string, string>,
  names: readonly NamedCharacter[],
): LetterTables {
  const tables: LetterTables = { twins: new Map(), twinsAmongLatin: new Map(), variants: new Map() };
  const shapeOf = (character: string): string => confusables.get(character) ?? character;
  const forms = namedForms(names);
  const byShape = lettersByShape(shapeOf, forms);
  for (const { character, name } of names) {
    if (!isOfTable(character)) continue;
    const named = forms.get(character);
    const enclosed = ENCLOSED_FORM.exec(name)?.[1]?.toLowerCase();
    const shape = shapeOf(character);
    const read = byShape.get(shape) ?? byShape.get(withoutMarks(shape));
    if (enclosed !== undefined) tables.variants.set(character, enclosed);
    else if (named !== undefined)
      tables.variants.set(character, /\p{Lu}/u.test(character) ? named.toUpperCase() : named);
    else if (read !== undefined) {
      const isDirect = read.isDirect && byShape.has(shape);
      tableOf(character, isDirect, tables).set(character, inCaseOf(character, read.letter));
    }
  }
  for (const [letter, sources] of Object.entries(USED_ANYWAY)) {
    for (const source of sources) {
      tables.twinsAmongLatin.delete(source);
      tableOf(source, true, tables).set(source, letter);
    }
  }
  return tables;
}
