import type { KnowledgeEntry } from "../../src/domain/knowledge.ts";
import { ENCODER_VERSION } from "../../src/intent/classifier.ts";
import { packTerms, termsOfPassage } from "../../src/knowledge/packed-terms.ts";
import { documentId } from "../../src/knowledge/sources/identity.ts";
import {
  readKnowledge,
  sourcesOfFile,
  storeKnowledge,
  withCommandSources,
} from "../../src/operate/refresh-knowledge.ts";
import type { DocumentToStore, StoredSource } from "../../src/store/interface/knowledge.ts";
import type { Store } from "../../src/store/interface/store.ts";
import { eventually } from "./eventually.ts";

/** A document as a source's reader returns it, with one passage for each text. */
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

/** Resolves once a server has encoded the passages of this store. */
export function passagesEncoded({ vectors }: Pick<Store, "vectors">): Promise<void> {
  return eventually(async () => (await vectors.countUnencoded(ENCODER_VERSION)).passages === 0);
}

/** Reads and stores the documents of a bot's `knowledge`, as `parley seed` does. */
export async function seedFolder(
  store: Store,
  botId: string,
  folder: string,
  knowledge: KnowledgeEntry[],
): Promise<void> {
  const bot = (await store.bots.find(botId))!;
  const known = await store.knowledge.listDocuments(bot.key);
  const sources = {
    stored: [],
    change: (stored: readonly StoredSource[]) =>
      withCommandSources(sourcesOfFile({ knowledge }, folder), stored),
    known,
  };
  const read = await readKnowledge({ now: Date.now, fetching: {} }, sources);
  await storeKnowledge(store.knowledge, bot.key, read);
}
