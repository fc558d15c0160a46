import { packTerms, termsOfPassage } from "../../src/knowledge/packed-terms.ts";
import { documentId } from "../../src/knowledge/sources/identity.ts";
import type { DocumentToStore } from "../../src/store/interface/knowledge.ts";

/** A document as a source's reader makes it, with a passage for each text. */
export function documentOf(
  place: string,
  bodies: readonly string[],
  fields: Partial<DocumentToStore> = {},
): DocumentToStore {
  const { title = place } = fields;
  return {
    id: documentId(place),
    source: "docs/",
    place,
    hash: `1.${Bun.hash(bodies.join("\n"))}`,
    title,
    passages: bodies.map((body) => ({
      headingPath: [],
      body,
      terms: packTerms(termsOfPassage(title, body)),
    })),
    ...fields,
  };
}
