import { normaliseText } from "../../text/normalise.ts";
import { plainTextOf } from "../../text/plain-text.ts";

/** Digits from zero on in the supported languages. A word used by several languages means the same digit in all. */
const DIGITS_BY_LANGUAGE = [
  "zero one two three four five six seven eight nine",
  "null eins zwei drei vier fünf sechs sieben acht neun",
  "cero uno dos tres cuatro cinco seis siete ocho nueve",
  "zéro un deux trois quatre cinq six sept huit neuf",
  "zero uno due tre quattro cinque sei sette otto nove",
  "nul een twee drie vier vijf zes zeven acht negen",
  "zero um dois três quatro cinco seis sete oito nove",
];

const digitOf: ReadonlyMap<string, string> = new Map(
  DIGITS_BY_LANGUAGE.flatMap((words) =>
    words.split(" ").flatMap((word, digit): [string, string][] => [
      [word, String(digit)],
      [normaliseText(word), String(digit)],
    ]),
  ),
);

const LONGEST_SPELLED = 7;
const WORD = /\p{L}+/gu;
/** Minimum length of a spelled number: nine digits with spaces take more characters. */
export const SHORTEST_SPELLED = 16;

/** Replaces digits spelled as words ("four one one one") by figures; undefined if there are none. */
export function withSpelledDigits(text: string): string | undefined {
  return text.length < SHORTEST_SPELLED || hasSurelyNone(text) ? undefined : withDigitsOfWords(text);
}

/** The same without the shortcut for plain texts. */
export function withDigitsOfWords(text: string): string | undefined {
  let isSpelled = false;
  const figures = text.replaceAll(WORD, (word) => {
    const digit = word.length > LONGEST_SPELLED ? undefined : digitOf.get(word.toLowerCase());
    isSpelled ||= digit !== undefined;
    return digit ?? word;
  });
  return isSpelled ? figures : undefined;
}

/** Whether a text is plain and none of its words is a digit. */
function hasSurelyNone(text: string): boolean {
  const plain = plainTextOf(text);
  if (plain === undefined) return false;
  for (let i = 0; i < plain.words.length; i++) {
    const { text: word, hasApostrophe } = plain.words[i]!;
    if (hasApostrophe || (word.length <= LONGEST_SPELLED && digitOf.has(word))) return false;
  }
  return true;
}
