import { normaliseText } from "../normalise.ts";

/** What a phrase may look like: words in order, with choices among them. */
export type Pattern =
  | { kind: "word"; word: string }
  /** One of some words. */
  | { kind: "words"; words: ReadonlySet<string> }
  | { kind: "anyWord" }
  | { kind: "sequence"; parts: readonly Pattern[] }
  | { kind: "choice"; options: readonly Pattern[] }
  /** Any number of times, none included. */
  | { kind: "repeated"; part: Pattern };

/** Patterns that have a name, by it. */
export type NamedPatterns = ReadonlyMap<string, Pattern>;

const NOTHING: Pattern = { kind: "sequence", parts: [] };
const PIECE = /[()[\]{}|*]|\$\w+|[\p{L}\p{M}\p{N}']+|[^\s]/gu;
const CLOSING: Record<string, string> = { "(": ")", "[": "]", "{": "}" };

/**
 * Reads a pattern: `a|b` either, `(…)` a group, `[…]` may be missing, `{…}` any number of times, `*` any one word, `$NAME` another pattern.
 * @throws Error where it cannot be read, or names a pattern that is unknown.
 */
export function parsePattern(source: string, named: NamedPatterns): Pattern {
  const pieces = source.match(PIECE) ?? [];
  const { pattern, at } = parseChoice(pieces, 0, named);
  if (at < pieces.length) throw new Error(`"${pieces[at]}" is not expected in the pattern "${source}"`);
  return pattern;
}

interface Parsed {
  pattern: Pattern;
  /** The piece that comes next. */
  at: number;
}

function parseChoice(pieces: readonly string[], from: number, named: NamedPatterns): Parsed {
  const options: Pattern[] = [];
  let at = from;
  do {
    const option = parseSequence(pieces, at === from ? at : at + 1, named);
    options.push(option.pattern);
    at = option.at;
  } while (pieces[at] === "|");
  return { pattern: choiceOf(options), at };
}

/** Single words become one set, which is looked at once. */
function choiceOf(options: readonly Pattern[]): Pattern {
  const words = new Set<string>();
  const others: Pattern[] = options.filter((option) => {
    if (option.kind === "word") words.add(option.word);
    if (option.kind === "words") for (const word of option.words) words.add(word);
    return option.kind !== "word" && option.kind !== "words";
  });
  const [first] = words;
  if (first !== undefined) {
    others.unshift(words.size > 1 ? { kind: "words", words } : { kind: "word", word: first });
  }
  return others.length === 1 ? others[0]! : { kind: "choice", options: others };
}

function parseSequence(pieces: readonly string[], from: number, named: NamedPatterns): Parsed {
  const parts: Pattern[] = [];
  let at = from;
  while (at < pieces.length && !/^[|)\]}]$/.test(pieces[at]!)) {
    const part = parsePart(pieces, at, named);
    parts.push(part.pattern);
    at = part.at;
  }
  return { pattern: parts.length === 1 ? parts[0]! : { kind: "sequence", parts }, at };
}

function parsePart(pieces: readonly string[], from: number, named: NamedPatterns): Parsed {
  const piece = pieces[from]!;
  if (piece in CLOSING) return parseGroup(pieces, from, named);
  return { pattern: parseWord(piece, named), at: from + 1 };
}

function parseGroup(pieces: readonly string[], from: number, named: NamedPatterns): Parsed {
  const opening = pieces[from]!;
  const { pattern, at } = parseChoice(pieces, from + 1, named);
  if (pieces[at] !== CLOSING[opening]) throw new Error(`"${opening}" is not closed: ${pieces.join(" ")}`);
  if (opening === "[") return { pattern: choiceOf([pattern, NOTHING]), at: at + 1 };
  return { pattern: opening === "{" ? { kind: "repeated", part: pattern } : pattern, at: at + 1 };
}

function parseWord(piece: string, named: NamedPatterns): Pattern {
  if (piece === "*") return { kind: "anyWord" };
  if (!piece.startsWith("$")) {
    if (!/[\p{L}\p{N}]/u.test(piece)) throw new Error(`"${piece}" is no word`);
    return { kind: "word", word: normaliseText(piece) };
  }
  const pattern = named.get(piece.slice(1));
  if (pattern === undefined) throw new Error(`${piece} is not defined before it is used`);
  return pattern;
}

/** The words that a pattern may begin with; `undefined` among them stands for any. Whether it may be empty as well. */
export function beginningsOf(pattern: Pattern): { words: Set<string | undefined>; mayBeEmpty: boolean } {
  if (pattern.kind === "word") return { words: new Set([pattern.word]), mayBeEmpty: false };
  if (pattern.kind === "words") return { words: new Set(pattern.words), mayBeEmpty: false };
  if (pattern.kind === "anyWord") return { words: new Set([undefined]), mayBeEmpty: false };
  if (pattern.kind === "repeated") return { ...beginningsOf(pattern.part), mayBeEmpty: true };
  if (pattern.kind === "choice") {
    const all = pattern.options.map(beginningsOf);
    return {
      words: new Set(all.flatMap(({ words }) => [...words])),
      mayBeEmpty: all.some(({ mayBeEmpty }) => mayBeEmpty),
    };
  }
  const words = new Set<string | undefined>();
  for (const part of pattern.parts) {
    const first = beginningsOf(part);
    for (const word of first.words) words.add(word);
    if (!first.mayBeEmpty) return { words, mayBeEmpty: false };
  }
  return { words, mayBeEmpty: true };
}

/** Adds all words that stand in a pattern, unless they were added before: named patterns are the same wherever they stand. */
export function collectWords(pattern: Pattern, words: Set<string>, seen: Set<Pattern>): void {
  if (seen.has(pattern)) return;
  seen.add(pattern);
  if (pattern.kind === "word") words.add(pattern.word);
  if (pattern.kind === "words") for (const word of pattern.words) words.add(word);
  if (pattern.kind === "repeated") collectWords(pattern.part, words, seen);
  if (pattern.kind === "choice") for (const option of pattern.options) collectWords(option, words, seen);
  if (pattern.kind === "sequence") for (const part of pattern.parts) collectWords(part, words, seen);
}

/** The words of a message, one at a time; `undefined` behind the last. */
export type WordAt = (position: number) => string | undefined;

/** Positions among the words of a message, a bit each; so fit no more words than `MOST_WORDS`. */
export type Positions = number;
export const MOST_WORDS = 30;

/** Where a pattern that begins at one of some positions may end. */
export function endsOf(pattern: Pattern, starts: Positions, wordAt: WordAt): Positions {
  if (starts === 0) return 0;
  if (pattern.kind === "word") return behind(starts, wordAt, (word) => word === pattern.word);
  if (pattern.kind === "words") return behind(starts, wordAt, (word) => pattern.words.has(word));
  if (pattern.kind === "anyWord") return behind(starts, wordAt, () => true);
  if (pattern.kind === "repeated") return endsOfRepeated(pattern.part, starts, wordAt);
  if (pattern.kind === "sequence") {
    return pattern.parts.reduce((ends, part) => endsOf(part, ends, wordAt), starts);
  }
  return pattern.options.reduce((ends, option) => ends | endsOf(option, starts, wordAt), 0);
}

function endsOfRepeated(part: Pattern, starts: Positions, wordAt: WordAt): Positions {
  let ends = starts;
  let fresh = starts;
  while (fresh !== 0) {
    fresh = endsOf(part, fresh, wordAt) & ~ends;
    ends |= fresh;
  }
  return ends;
}

/** The positions behind those of words that hold. */
function behind(starts: Positions, wordAt: WordAt, holds: (word: string) => boolean): Positions {
  let ends = 0;
  for (let left = starts; left !== 0; left &= left - 1) {
    const at = lowest(left);
    const word = wordAt(at);
    if (word !== undefined && holds(word)) ends |= 2 << at;
  }
  return ends;
}

const lowest = (positions: Positions): number => 31 - Math.clz32(positions & -positions);

/** The single positions, in order. */
export function positionsIn(positions: Positions): number[] {
  const single: number[] = [];
  for (let left = positions; left !== 0; left &= left - 1) single.push(lowest(left));
  return single;
}
