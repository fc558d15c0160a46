import type { PersonalDataKind } from "../../domain/personal-data.ts";
import { normaliseText } from "../../text/normalise.ts";
import { findPersonalData } from "../../text/personal-data.ts";

/** Letters that look like digits, between digits: "4III IIII", "4OOO". */
const AMONG_DIGITS = /(?<![\p{L}\p{N}])[0-9OoIil|](?:[\s\p{Pd}.]?[0-9OoIil|]){7,}(?![\p{L}\p{N}])/gu;
const LOOK_ALIKES: Readonly<Record<string, string>> = { O: "0", o: "0", I: "1", i: "1", l: "1", "|": "1" };

/** The first kind of personal data in a text, in its original form or with disguised digits. */
export function findPattern(text: string, kinds: readonly PersonalDataKind[]): PersonalDataKind | undefined {
  if (kinds.length === 0) return undefined;
  for (const reading of readingsOf(text)) {
    const [found] = findPersonalData(reading, kinds);
    if (found !== undefined) return found.kind;
  }
  return undefined;
}

/** The text; then, if it has any, the text with compatibility forms, spelled digits and look-alike digits replaced. */
function* readingsOf(text: string): Generator<string> {
  yield text;
  const plain = text.normalize("NFKC");
  if (plain !== text) yield plain;
  const spelled = withSpelledDigits(plain);
  if (spelled !== undefined) yield spelled;
  if (!/\d/.test(plain)) return;
  const asDigits = plain.replaceAll(AMONG_DIGITS, (run) =>
    run.replaceAll(/[OoIil|]/g, (letter) => LOOK_ALIKES[letter]!),
  );
  if (asDigits !== plain) yield asDigits;
}

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

const MAX_SPELLED_LENGTH = 7;
const WORD = /\p{L}+/gu;
/** Nine digits with spaces take more characters. */
const MIN_SPELLED_LENGTH = 16;

/** Replaces digits spelled as words ("four one one one") by figures; undefined if there are none. */
function withSpelledDigits(text: string): string | undefined {
  if (text.length < MIN_SPELLED_LENGTH) return undefined;
  let isSpelled = false;
  const figures = text.replaceAll(WORD, (word) => {
    const digit = word.length > MAX_SPELLED_LENGTH ? undefined : digitOf.get(word.toLowerCase());
    isSpelled ||= digit !== undefined;
    return digit ?? word;
  });
  return isSpelled ? figures : undefined;
}
