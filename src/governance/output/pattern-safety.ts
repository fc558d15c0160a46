import { isSafePattern } from "redos-detector";

import { partsOf } from "./pattern-parts.ts";

/** The analysis takes longer than linear time; patterns for answers are shorter than this by far. */
const MAX_LENGTH = 500;
/** A counted repeat as long as this is a limit of length, which `maxLength` states at no cost. */
const MAX_REPEAT = 10_000;

/**
 * Why a schema's `pattern` is refused, or nothing when it may run on every answer. Refused are what is no regular
 * expression (ECMA-262, `u` flag), and what could take more than linear time on some text: the engine would block the
 * whole service on it, and then answer "no match".
 */
export function patternFault(pattern: string): string | undefined {
  if (pattern.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`;
  try {
    RegExp(pattern, "u");
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return `is no regular expression (${error.message.replace(/^Invalid regular expression: /, "")})`;
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
 * The analysis counts nothing of what stands in a look-ahead. At the start of a text each is tried once, and is analysed as a pattern of its
 * own; elsewhere it may be tried at every character.
 */
const LOOKS_AROUND =
  "looks ahead or behind from within the text, which can take very long; look ahead only right behind a leading `^`, or use `enum`, `format` or `maxLength`";

const hasLargeRepeat = (pattern: string): boolean =>
  [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].some(
    ([, min, max]) => Math.max(Number(min), Number(max || 0)) > MAX_REPEAT,
  );

function isLinear(pattern: string): boolean {
  try {
    // Bounded by steps rather than time (at most 0.1 s), so that a slow machine refuses no more than a fast one.
    return isSafePattern(pattern, { unicode: true, maxScore: 100, maxSteps: 2000, timeout: Infinity }).safe;
  } catch (error) {
    // What the analysis cannot read (a look-behind, say) cannot be shown to be safe.
    if (error instanceof Error) return false;
    throw error;
  }
}
