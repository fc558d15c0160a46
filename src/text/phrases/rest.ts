import { firstParts, mayBeEmpty, type Pattern } from "./pattern.ts";

/**
 * The unmatched rest of a phrase: a pattern followed by another rest, or the end with the phrase's number. Equal rests of a pool are the
 * same object.
 */
export type Rest = { id: number } & ({ phrase: number } | { pattern: Pattern; next: Rest });

/** Cache of rests by content. */
export class RestPool {
  readonly #ends = new Map<number, Rest>();
  readonly #rests = new Map<Pattern, Map<Rest, Rest>>();
  #count = 0;

  /** The end of a phrase. */
  endOf(phrase: number): Rest {
    let end = this.#ends.get(phrase);
    if (end === undefined) this.#ends.set(phrase, (end = { id: this.#count++, phrase }));
    return end;
  }

  /** A pattern followed by another rest. */
  before(pattern: Pattern, next: Rest): Rest {
    let rests = this.#rests.get(pattern);
    if (rests === undefined) this.#rests.set(pattern, (rests = new Map()));
    let rest = rests.get(next);
    if (rest === undefined) rests.set(next, (rest = { id: this.#count++, pattern, next }));
    return rest;
  }

  /** Clears the cache. Rests in use stay valid, and ids are not reused. */
  forget(): void {
    this.#ends.clear();
    this.#rests.clear();
  }
}

/** The number of the phrase that is complete if nothing more follows. */
export function phraseCompleteBefore(rest: Rest): number | undefined {
  if ("phrase" in rest) return rest.phrase;
  return mayBeEmpty(rest.pattern) ? phraseCompleteBefore(rest.next) : undefined;
}

/** Adds the possible rests after a word. */
export function advanceRest(rest: Rest, word: string, pool: RestPool, left: Set<Rest>): void {
  if ("phrase" in rest) return;
  const { pattern, next } = rest;
  advance(pattern, word, () => next, pool, left);
  if (mayBeEmpty(pattern)) advanceRest(next, word, pool, left);
}

/** Adds the possible rests of a pattern and its continuation after a word. */
export function advance(
  pattern: Pattern,
  word: string,
  next: () => Rest,
  pool: RestPool,
  left: Set<Rest>,
): void {
  const advancePart = (part: Pattern, nextOfPart: () => Rest): void =>
    advance(part, word, nextOfPart, pool, left);
  if (begins(pattern, word)) left.add(next());
  if (pattern.kind === "choice") for (const option of pattern.options) advancePart(option, next);
  if (pattern.kind === "repeated") advancePart(pattern.part, () => pool.before(pattern, next()));
  if (pattern.kind === "sequence") {
    const { parts } = pattern;
    for (const [place, part] of firstParts(parts).entries()) {
      const others = () =>
        parts.slice(place + 1).reduceRight((rest, other) => pool.before(other, rest), next());
      advancePart(part, others);
    }
  }
}

function begins(pattern: Pattern, word: string): boolean {
  if (pattern.kind === "word") return pattern.word === word;
  if (pattern.kind === "words") return pattern.words.has(word);
  return pattern.kind === "anyWord";
}
