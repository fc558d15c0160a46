import type { DocumentToStore } from "../../interface/knowledge.ts";

/** Passages that one step writes or deletes: it takes some 15 ms, in which SQLite's lock is held. */
export const MOST_IN_STEP = 200;

/** Documents in groups of as many passages as a step writes at most; one that has more is a group by itself. */
export function* documentBatches(documents: readonly DocumentToStore[]): Generator<DocumentToStore[]> {
  let batch: DocumentToStore[] = [];
  let passages = 0;
  for (const document of documents) {
    if (batch.length > 0 && passages + document.passages.length > MOST_IN_STEP) {
      yield batch;
      [batch, passages] = [[], 0];
    }
    batch.push(document);
    passages += document.passages.length;
  }
  if (batch.length > 0) yield batch;
}
