import { firstParts, mayBeEmpty, type Pattern } from "./pattern.ts";

/**
 * What has still to be matched of a phrase: a pattern, and next another rest; at the end of the phrase nothing, and its number is known. Rests
 * of a pool that say the same are the same object.
 */
export type Rest = { id: number } & ({ phrase: number } | { pattern: Pattern; next: Rest });

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

  /** A pattern, and next something else. */
  before(pattern: Pattern, next: Rest): Rest {
    let rests = this.#rests.get(pattern);
    if (rests === undefined) this.#rests.set(pattern, (rests = new Map()));
    let rest = rests.get(next);
    if (rest === undefined) rests.set(next, (rest = { id: this.#count++, pattern, next }));
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
  return mayBeEmpty(rest.pattern) ? phraseCompleteBefore(rest.next) : undefined;
}

/** Adds what may be left of a rest behind a word. */
export function advanceRest(rest: Rest, word: string, pool: RestPool, left: Set<Rest>): void {
  if ("phrase" in rest) return;
  const { pattern, next } = rest;
  advance(pattern, word, () => next, pool, left);
  if (mayBeEmpty(pattern)) advanceRest(next, word, pool, left);
}

/** Adds what may be left of a pattern, and of what comes next, behind a word. */
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
