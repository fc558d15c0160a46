import { mayBeEmpty, type Pattern } from "./pattern.ts";

/**
 * What has still to be matched of a phrase: a pattern, and then another rest; at the end of the phrase nothing, and its number is known. Rests
 * of a pool that say the same are the same object.
 */
export type Rest = { id: number } & ({ phrase: number } | { pattern: Pattern; then: Rest });

/** Rests that were made before, by what they consist of. */
export class RestPool {
  readonly #ends = new Map<number, Rest>();
  readonly #rests = new Map<Pattern, Map<Rest, Rest>>();
  #count = 0;

  /** Nothing more of a phrase, which is known by its number. */
  endOf(phrase: number): Rest {
    let end = this.#ends.get(phrase);
    if (end === undefined) this.#ends.set(phrase, (end = { id: this.#count++, phrase }));
    return end;
  }

  /** A pattern, and then something else. */
  before(pattern: Pattern, then: Rest): Rest {
    let rests = this.#rests.get(pattern);
    if (rests === undefined) this.#rests.set(pattern, (rests = new Map()));
    let rest = rests.get(then);
    if (rest === undefined) rests.set(then, (rest = { id: this.#count++, pattern, then }));
    return rest;
  }

  /** Makes room. Rests that are still in use stay valid; no later one has the id of any of them. */
  forget(): void {
    this.#ends.clear();
    this.#rests.clear();
  }
}

/** The number of the phrase that is complete where nothing of a rest follows. */
export function phraseCompleteBefore(rest: Rest): number | undefined {
  if ("phrase" in rest) return rest.phrase;
  return mayBeEmpty(rest.pattern) ? phraseCompleteBefore(rest.then) : undefined;
}

/** Adds what may be left of a rest behind a word. */
export function advanceRest(rest: Rest, word: string, pool: RestPool, left: Set<Rest>): void {
  if ("phrase" in rest) return;
  const { pattern, then } = rest;
  advance(pattern, word, () => then, pool, left);
  if (mayBeEmpty(pattern)) advanceRest(then, word, pool, left);
}

/** Adds what may be left of a pattern, and of what comes behind it, behind a word. */
export function advance(
  pattern: Pattern,
  word: string,
  then: () => Rest,
  pool: RestPool,
  left: Set<Rest>,
): void {
  const further = (part: Pattern, behind: () => Rest): void => advance(part, word, behind, pool, left);
  if (begins(pattern, word)) left.add(then());
  if (pattern.kind === "choice") for (const option of pattern.options) further(option, then);
  if (pattern.kind === "repeated") further(pattern.part, () => pool.before(pattern, then()));
  if (pattern.kind === "sequence") {
    const parts = pattern.parts;
    const last = parts.findIndex((part) => !mayBeEmpty(part));
    const open = last < 0 ? parts.length : last + 1;
    for (let at = 0; at < open; at++) {
      further(parts[at]!, () =>
        parts.slice(at + 1).reduceRight((rest, part) => pool.before(part, rest), then()),
      );
    }
  }
}

function begins(pattern: Pattern, word: string): boolean {
  if (pattern.kind === "word") return pattern.word === word;
  if (pattern.kind === "words") return pattern.words.has(word);
  return pattern.kind === "anyWord";
}
