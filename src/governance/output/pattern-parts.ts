/** What a regular expression is made of, as far as the time that it takes depends on it. */
export interface PatternParts {
  /** What stands in look-aheads right behind a leading `^`: each is tried once for a text, and never again. */
  leading: readonly string[];
  /** The pattern without these. */
  rest: string;
  /** Whether it looks ahead or behind anywhere else. */
  looksAround: boolean;
  /** Whether it refers to what one of its groups has matched. */
  refersBack: boolean;
}

/** An escape, a class of characters, the beginning of a group, or the end of one. */
const TOKENS = /\\(?:k<|[^])|\[(?:\\[^]|[^\]\\])*\]|\((?:\?<?[=!])?|\)/gu;
const LOOK_AROUND = /^\(\?<?[=!]$/;
const BACK_REFERENCE = /^\\(?:[1-9]|k<)$/;
const LEADING = /^\(\?[=!]/;

/** Takes apart a pattern that compiles with the `u` flag. */
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

/** Characters of the group that the text begins with, its brackets included. */
function groupLength(text: string): number {
  let open = 0;
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    if (token.startsWith("(")) open++;
    else if (token === ")") open--;
    if (open === 0) return index + token.length;
  }
  throw new Error(`a group of ${text} has no end`);
}
