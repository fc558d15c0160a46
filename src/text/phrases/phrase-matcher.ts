import { beginningsOf, type Pattern } from "./pattern.ts";
import { advance, advanceRest, phraseCompleteBefore, type Rest, RestPool } from "./rest.ts";

/** Something that is said. */
export interface Phrase<Section extends string> {
  /** What it is for. */
  section: Section;
  pattern: Pattern;
}

/** How far some words go along the phrases of a book. */
export interface Matched<Section extends string> {
  /** What the phrases are for that end here: each section once, in the order of the book. */
  readonly sections: readonly Section[];
  readonly rests: readonly Rest[];
  /** What a further word leads to, as far as it was asked for before; null where no phrase goes on with it. */
  readonly next: Map<string, Matched<Section> | null>;
}

/** So many steps are remembered, about 100 bytes each; then all are forgotten. 13,500 requests of seven languages take fewer than 7,000 in English. */
const MOST_STEPS = 20_000;

/**
 * Finds the phrases of a book that some words begin with. All phrases are gone along at once, and what a word leads to is worked out when it is
 * first met: a deterministic automaton, made as far as it is used.
 */
export class PhraseMatcher<Section extends string> {
  /** Before the first word. */
  readonly start: Matched<Section> = { sections: [], rests: [], next: new Map() };
  /** In the order of the book. */
  readonly phrases: readonly Phrase<Section>[];
  /** Their places in it, by the words that they may begin with; `undefined` stands for any word. */
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

  /** What is matched with one more word; null where no phrase goes on with it. */
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

  /** A match that is being gone on from stays valid: it has its rests. */
  #forget(): void {
    this.start.next.clear();
    this.#matched.clear();
    this.#pool.forget();
    this.#steps = 0;
  }
}
