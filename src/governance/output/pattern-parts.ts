/** The parts of a regular expression that affect its running time. */
export interface PatternParts {
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
export function partsOf(pattern: string): PatternParts {
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
