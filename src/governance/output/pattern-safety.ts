import { isSafePattern } from "redos-detector";

/** The analysis takes more than linear time; patterns for answers are much shorter than this. */
const MAX_LENGTH = 500;
/** A longer counted repeat only limits the length, which `maxLength` does at no cost. */
const MAX_REPEAT = 10_000;

/**
 * Why a schema's `pattern` is rejected; undefined if it can run on every answer. Rejected are invalid regular expressions (ECMA-262, `u`
 * flag), and those that could take more than linear time on some text: they would block the whole service.
 */
export function patternFault(pattern: string): string | undefined {
  if (pattern.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`;
  try {
    RegExp(pattern, "u");
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return `is not a regular expression (${error.message.replace(/^Invalid regular expression: /, "")})`;
  }
  const { leading, rest, looksAround, refersBack } = partsOf(pattern);
  if (refersBack) return "uses a back-reference, which can take very long";
  if (looksAround) return LOOKS_AROUND;
  if (hasLargeRepeat(pattern)) return `repeats something more than ${MAX_REPEAT} times; use maxLength`;
  return [rest, ...leading.map((ahead) => `^(?:${ahead})`)].every(isLinear)
    ? undefined
    : "can take very long on some texts; let neighbouring repeats match different characters, or use `enum`, `format` or `maxLength`";
}

/**
 * The analysis ignores lookaheads. At the start of a text each runs once and is analysed as a separate pattern; elsewhere it could run at
 * every character, so it is rejected.
 */
const LOOKS_AROUND =
  "looks ahead or behind from within the text, which can take very long; look ahead only right behind a leading `^`, or use `enum`, `format` or `maxLength`";

const hasLargeRepeat = (pattern: string): boolean =>
  [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].some(
    ([, min, max]) => Math.max(Number(min), Number(max || 0)) > MAX_REPEAT,
  );

function isLinear(pattern: string): boolean {
  try {
    // Limited by steps instead of time (at most about 0.1 s), so that the result does not depend on the machine.
    return isSafePattern(pattern, { unicode: true, maxScore: 100, maxSteps: 2000, timeout: Infinity }).safe;
  } catch (error) {
    // A pattern that the analysis does not support, such as a lookbehind, cannot be proven safe.
    if (error instanceof Error) return false;
    throw error;
  }
}

/** The parts of a regular expression that affect its running time. */
interface PatternParts {
  /** Contents of lookaheads directly after a leading `^`; each is tried once per text. */
  leading: readonly string[];
  /** The pattern without them. */
  rest: string;
  /** Whether it has other lookarounds. */
  looksAround: boolean;
  /** Whether it has backreferences. */
  refersBack: boolean;
}

/** An escape, a character class, the start or the end of a group. */
const TOKENS = /\\(?:k<|[^])|\[(?:\\[^]|[^\]\\])*\]|\((?:\?<?[=!])?|\)/gu;
const LOOK_AROUND = /^\(\?<?[=!]$/;
const BACK_REFERENCE = /^\\(?:[1-9]|k<)$/;
const LEADING = /^\(\?[=!]/;

/** Splits a pattern that compiles with the `u` flag. */
function partsOf(pattern: string): PatternParts {
  const leading: string[] = [];
  let rest = pattern;
  while (pattern.startsWith("^") && LEADING.test(rest.slice(1))) {
    const length = groupLength(rest.slice(1));
    leading.push(rest.slice("^(?=".length, length));
    rest = `^${rest.slice(1 + length)}`;
  }
  return {
    leading,
    rest,
    looksAround: [...leading, rest].some((part) => hasToken(part, LOOK_AROUND)),
    refersBack: hasToken(pattern, BACK_REFERENCE),
  };
}

function hasToken(pattern: string, kind: RegExp): boolean {
  return [...pattern.matchAll(TOKENS)].some(([token]) => kind.test(token));
}

/** Length of the group at the start of the text, including its brackets. */
function groupLength(text: string): number {
  let open = 0;
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    if (token.startsWith("(")) open++;
    else if (token === ")") open--;
    if (open === 0) return index + token.length;
  }
  throw new Error(`a group of ${text} has no end`);
}
