import { beginningsOf, type Pattern } from "./pattern.ts";
import { advance, advanceRest, phraseCompleteBefore, type Rest, RestPool } from "./rest.ts";

/** Something that is said. */
export interface Phrase<Section extends string> {
  /** Its section. */
  section: Section;
  pattern: Pattern;
}

/** The state after some words. */
export interface Matched<Section extends string> {
  /** Sections of the phrases that end here, in the order of the book. */
  readonly sections: readonly Section[];
  readonly rests: readonly Rest[];
  /** Cached transitions by word; null if no phrase continues with the word. */
  readonly next: Map<string, Matched<Section> | null>;
}

/**
 * Most cached transitions, about 100 bytes each; then the cache is cleared. 13,500 requests in seven languages need fewer than 7,000 in
 * English.
 */
const MOST_STEPS = 20_000;

/**
 * Finds the phrases of a book at the start of a sequence of words. All phrases are followed at once; transitions are computed on first use
 * (a lazily built deterministic automaton).
 */
export class PhraseMatcher<Section extends string> {
  /** The initial state. */
  readonly start: Matched<Section> = { sections: [], rests: [], next: new Map() };
  /** In the order of the book. */
  readonly phrases: readonly Phrase<Section>[];
  /** Indexes of phrases by possible first word; `undefined` stands for any word. */
  readonly byBeginning = new Map<string | undefined, number[]>();
  readonly #matched = new Map<string, Matched<Section>>();
  readonly #pool = new RestPool();
  #steps = 0;

  constructor(phrases: readonly Phrase<Section>[]) {
    this.phrases = phrases;
    for (const [number, { pattern }] of phrases.entries()) {
      for (const word of beginningsOf(pattern)) {
        const others = this.byBeginning.get(word);
        if (others === undefined) this.byBeginning.set(word, [number]);
        else others.push(number);
      }
    }
  }

  /** The state after one more word; null if no phrase continues. */
  after(matched: Matched<Section>, word: string): Matched<Section> | null {
    const known = matched.next.get(word);
    if (known !== undefined) return known;
    if (this.#steps >= MOST_STEPS) this.#forget();
    const next = this.#step(matched, word);
    matched.next.set(word, next);
    this.#steps++;
    return next;
  }

  #step(matched: Matched<Section>, word: string): Matched<Section> | null {
    const left = new Set<Rest>();
    if (matched === this.start) this.#begin(word, left);
    else for (const rest of matched.rests) advanceRest(rest, word, this.#pool, left);
    return left.size === 0 ? null : this.#matchedUpTo([...left]);
  }

  #begin(word: string, left: Set<Rest>): void {
    for (const beginning of [word, undefined]) {
      for (const number of this.byBeginning.get(beginning) ?? []) {
        const { pattern } = this.phrases[number]!;
        advance(pattern, word, () => this.#pool.endOf(number), this.#pool, left);
      }
    }
  }

  #matchedUpTo(rests: readonly Rest[]): Matched<Section> {
    const key = rests
      .map(({ id }) => id)
      .toSorted((a, b) => a - b)
      .join();
    const known = this.#matched.get(key);
    if (known !== undefined) return known;
    const matched = { sections: this.#sectionsOf(rests), rests, next: new Map() };
    this.#matched.set(key, matched);
    return matched;
  }

  #sectionsOf(rests: readonly Rest[]): readonly Section[] {
    const complete = rests.flatMap((rest) => phraseCompleteBefore(rest) ?? []).toSorted((a, b) => a - b);
    return [...new Set(complete.map((number) => this.phrases[number]!.section))];
  }

  /** States in use stay valid, because they keep their rests. */
  #forget(): void {
    this.start.next.clear();
    this.#matched.clear();
    this.#pool.forget();
    this.#steps = 0;
  }
}
