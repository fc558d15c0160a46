import { sql } from "../sql/sql.ts";
import { first, run, type Work } from "../sql/work.ts";

/** The stored embedding of a text, by the text's SHA-256. */
export function* findEmbedding(model: string, textHash: Uint8Array): Work<Float32Array | undefined> {
  const row = yield* first<{ vector: Uint8Array }>(
    sql`SELECT vector FROM embeddings WHERE model = ${model} AND text_hash = ${textHash}`,
  );
  return row && new Float32Array(Uint8Array.from(row.vector).buffer);
}

/** Stores embeddings of texts, by the SHA-256 of each text. */
export function* saveEmbeddings(model: string, vectors: ReadonlyMap<Uint8Array, Float32Array>): Work<void> {
  for (const [textHash, { buffer, byteOffset, byteLength }] of vectors)
    yield* run(sql`
      INSERT INTO embeddings (model, text_hash, vector)
      VALUES (${model}, ${textHash}, ${new Uint8Array(buffer, byteOffset, byteLength)})
      ON CONFLICT (model, text_hash) DO UPDATE SET vector = excluded.vector`);
}
