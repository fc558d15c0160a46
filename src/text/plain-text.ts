import { type KnownWord, knownWord } from "./phrases/known-word.ts";
import { hashWordText } from "./word-hash.ts";

/** Longer texts are read by other means; most requests have fewer than sixty characters. */
const MOST_CHARACTERS = 200;

/** A word of a plain text. */
export class PlainWord {
  readonly kind = "word";
  /** In the spelling of `normaliseText`: lower case, without apostrophes. */
  readonly text: string;
  /** As `hashWord` makes it. */
  readonly hash: number;
  /** Its position in the text. */
  readonly start: number;
  readonly end: number;
  readonly isNumber: boolean;
  readonly hasApostrophe: boolean;
  /** Number of signs after it. */
  readonly signs: number;
  /** Whether a sign or line break separates it from the next word. */
  endsClause: boolean;
  #known: KnownWord | undefined;

  constructor(text: string, place: { start: number; end: number; signs: number }, isNumber: boolean) {
    this.text = text;
    this.hash = hashWordText(text);
    this.start = place.start;
    this.end = place.end;
    this.isNumber = isNumber;
    this.hasApostrophe = text.length < place.end - place.start;
    this.signs = place.signs;
    this.endsClause = place.signs > 0;
  }

  /** The word with cached facts; computed on first use. */
  get known(): KnownWord {
    return (this.#known ??= knownWord(this.text));
  }
}

/**
 * A text as most messages are: words of ASCII letters, possibly with an apostrophe inside ("don't"), and numbers, with white space between
 * them and punctuation after them. For such texts many checks have shortcuts.
 */
export interface PlainText {
  words: readonly PlainWord[];
  /** The words in the spelling of `normaliseText`. */
  texts: readonly string[];
  /** Whether signs occur elsewhere than directly after a word. */
  hasLooseSigns: boolean;
}

const OTHER = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
const SIGN = 4;
const SPACE = 5;
const APOSTROPHE = 6;

/** The class of each ASCII character. */
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => kindOf(String.fromCharCode(code)));

function kindOf(character: string): number {
  if (/[a-z]/.test(character)) return LOWER;
  if (/[A-Z]/.test(character)) return UPPER;
  if (/\d/.test(character)) return DIGIT;
  if (/[.,!?;:]/.test(character)) return SIGN;
  if (/[ \n]/.test(character)) return SPACE;
  return character === "'" ? APOSTROPHE : OTHER;
}

const LINE_END = 10;

const kindAt = (text: string, at: number): number => {
  const code = text.charCodeAt(at);
  return code < 128 ? KINDS[code]! : OTHER;
};

interface Reading {
  text: string;
  plain: PlainText | undefined;
}

const NOTHING: Reading = { text: "", plain: { words: [], texts: [], hasLooseSigns: false } };
/** Two texts are cached: a message and its request. */
let latest = NOTHING;
let previous = NOTHING;

/** Reads a text if it is plain. The last two texts are cached, because several stages ask for the same one. */
export function plainTextOf(text: string): PlainText | undefined {
  if (text !== latest.text) {
    const next = previous.text === text ? previous : readingOf(text);
    previous = latest;
    latest = next;
  }
  return latest.plain;
}

function readingOf(text: string): Reading {
  return { text, plain: text.length > MOST_CHARACTERS ? undefined : readPlainText(text) };
}

function readPlainText(text: string): PlainText | undefined {
  const words: PlainWord[] = [];
  const lower = text.toLowerCase();
  let hasLooseSigns = false;
  for (let at = 0; at < text.length;) {
    const kind = kindAt(text, at);
    if (kind === OTHER || kind === APOSTROPHE) return undefined;
    if (kind === SPACE || kind === SIGN) {
      if (kind === SIGN || text.charCodeAt(at) === LINE_END) endClause(words);
      at++;
      if (kind !== SIGN) continue;
      hasLooseSigns = true;
      if (at < text.length && kindAt(text, at) !== SPACE && kindAt(text, at) !== SIGN) return undefined;
      continue;
    }
    const word = kind === DIGIT ? readNumber(text, at) : readWord(text, lower, at);
    if (word === undefined) return undefined;
    words.push(word);
    at = word.end + word.signs;
    if (at < text.length && kindAt(text, at) !== SPACE) return undefined;
  }
  return { words, texts: words.map((word) => word.text), hasLooseSigns };
}

function endClause(words: readonly PlainWord[]): void {
  if (words.length > 0) words[words.length - 1]!.endsClause = true;
}

function readNumber(text: string, start: number): PlainWord {
  let end = start + 1;
  while (end < text.length && kindAt(text, end) === DIGIT) end++;
  return wordOf(text, text.slice(start, end), start, end, DIGIT);
}

/** Undefined if an apostrophe ends the word or occurs twice ("l'o'l"), and for emoticons such as "xD". */
function readWord(text: string, lower: string, start: number): PlainWord | undefined {
  let hasApostrophe = false;
  let end = start + 1;
  for (; end < text.length; end++) {
    const kind = kindAt(text, end);
    if (kind === LOWER || kind === UPPER) continue;
    if (kind !== APOSTROPHE) break;
    const next = end + 1 < text.length ? kindAt(text, end + 1) : OTHER;
    if (hasApostrophe || (next !== LOWER && next !== UPPER)) return undefined;
    hasApostrophe = true;
  }
  if (laughs(text, start)) return undefined;
  const written = lower.slice(start, end);
  return wordOf(text, hasApostrophe ? written.replaceAll("'", "") : written, start, end, LOWER);
}

const laughs = (text: string, start: number): boolean =>
  text[start + 1] === "D" && (text[start] === "x" || text[start] === "X");

function wordOf(text: string, word: string, start: number, end: number, kind: number): PlainWord {
  let behind = end;
  while (behind < text.length && kindAt(text, behind) === SIGN) behind++;
  return new PlainWord(word, { start, end, signs: behind - end }, kind === DIGIT);
}

/** The parts of a word around its apostrophe, in lower case. */
export function partsOfWord(text: string, { start, end }: PlainWord): string[] {
  return text.slice(start, end).toLowerCase().split("'");
}
