import { termsOfPassage, type PackedTerms } from "../../../src/knowledge/packed-terms.ts";
import type { Passage } from "../../../src/knowledge/passage.ts";
import { SearchIndex } from "../../../src/knowledge/search-index.ts";
import type { KnownPassage } from "./data-sets.ts";

/** The passages of one bot. */
export interface Corpus {
  index: SearchIndex;
  passages: ReadonlyMap<number, Passage>;
  language: string;
}

const terms = new WeakMap<Passage, PackedTerms>();

/** Terms of a passage, computed once. */
export function termsOf(passage: Passage): PackedTerms {
  const found = terms.get(passage) ?? termsOfPassage(passage.title, passage.body);
  terms.set(passage, found);
  return found;
}

export function corpusOf(passages: readonly KnownPassage[], language: string): Corpus {
  return {
    index: SearchIndex.build(passages.map(({ id, passage }) => ({ id, terms: termsOf(passage) }))),
    passages: new Map(passages.map(({ id, passage }) => [id, passage])),
    language,
  };
}
