import { normaliseText } from "../normalise.ts";

/** A pattern of words in order, with alternatives. */
export type Pattern =
  | { kind: "word"; word: string }
  /** One of a set of words. */
  | { kind: "words"; words: ReadonlySet<string> }
  | { kind: "anyWord" }
  | { kind: "sequence"; parts: readonly Pattern[] }
  | { kind: "choice"; options: readonly Pattern[] }
  /** Zero or more times. */
  | { kind: "repeated"; part: Pattern };

/** Patterns by name. */
export type NamedPatterns = ReadonlyMap<string, Pattern>;

const NOTHING: Pattern = { kind: "sequence", parts: [] };
const PIECE = /[()[\]{}|*]|\$\w+|[\p{L}\p{M}\p{N}']+|[^\s]/gu;
const CLOSING: Record<string, string> = { "(": ")", "[": "]", "{": "}" };

/**
 * Parses a pattern: `a|b` alternatives, `(…)` a group, `[…]` optional, `{…}` repeated, `*` any word, `$NAME` another pattern. @throws Error
 * if it is invalid or refers to an unknown name.
 */
export function parsePattern(source: string, named: NamedPatterns): Pattern {
  const pieces = source.match(PIECE) ?? [];
  const { pattern, at } = parseChoice(pieces, 0, named);
  if (at < pieces.length) throw new Error(`"${pieces[at]}" is not expected in the pattern "${source}"`);
  return pattern;
}

interface Parsed {
  pattern: Pattern;
  /** Index of the next token. */
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

/** Alternatives of single words become one set, for speed. */
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

/** Whether a pattern matches the empty sequence. */
export function mayBeEmpty(pattern: Pattern): boolean {
  if (pattern.kind === "repeated") return true;
  if (pattern.kind === "choice") return pattern.options.some(mayBeEmpty);
  return pattern.kind === "sequence" && pattern.parts.every(mayBeEmpty);
}

/** The parts of a sequence that can match its first word. */
export function firstParts(parts: readonly Pattern[]): readonly Pattern[] {
  const needed = parts.findIndex((part) => !mayBeEmpty(part));
  return needed < 0 ? parts : parts.slice(0, needed + 1);
}

/** The possible first words of a pattern; `undefined` stands for any word. */
export function beginningsOf(pattern: Pattern): ReadonlySet<string | undefined> {
  if (pattern.kind === "word") return new Set([pattern.word]);
  if (pattern.kind === "words") return pattern.words;
  if (pattern.kind === "anyWord") return new Set([undefined]);
  if (pattern.kind === "repeated") return beginningsOf(pattern.part);
  const firsts = pattern.kind === "choice" ? pattern.options : firstParts(pattern.parts);
  return new Set(firsts.flatMap((first) => [...beginningsOf(first)]));
}

/** Adds all words of a pattern. Named patterns that were added before are skipped. */
export function collectWords(pattern: Pattern, words: Set<string>, seen: Set<Pattern>): void {
  if (seen.has(pattern)) return;
  seen.add(pattern);
  if (pattern.kind === "word") words.add(pattern.word);
  if (pattern.kind === "words") for (const word of pattern.words) words.add(word);
  if (pattern.kind === "repeated") collectWords(pattern.part, words, seen);
  if (pattern.kind === "choice") for (const option of pattern.options) collectWords(option, words, seen);
  if (pattern.kind === "sequence") for (const part of pattern.parts) collectWords(part, words, seen);
}

/** The pattern reversed. Shared patterns are reversed once and cached in `known`. */
export function mirrored(pattern: Pattern, known: Map<Pattern, Pattern>): Pattern {
  const before = known.get(pattern);
  if (before !== undefined) return before;
  const turned = turnedRound(pattern, (part) => mirrored(part, known));
  known.set(pattern, turned);
  return turned;
}

function turnedRound(pattern: Pattern, turn: (part: Pattern) => Pattern): Pattern {
  if (pattern.kind === "repeated") return { kind: "repeated", part: turn(pattern.part) };
  if (pattern.kind === "choice") return { kind: "choice", options: pattern.options.map(turn) };
  if (pattern.kind === "sequence") return { kind: "sequence", parts: pattern.parts.map(turn).toReversed() };
  return pattern;
}
