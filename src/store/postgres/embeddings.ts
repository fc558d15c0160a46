import { List, type Queries } from "./connection.ts";

/** What a model server made of a text, by its SHA-256. */
export async function findEmbedding(
  queries: Queries,
  model: string,
  textHash: Uint8Array,
): Promise<Float32Array | undefined> {
  const [row] = await queries.query<{ vector: Uint8Array }>(
    "SELECT vector FROM embeddings WHERE model = $1 AND text_hash = $2",
    [model, textHash],
  );
  return row && new Float32Array(Uint8Array.from(row.vector).buffer);
}

const SAVE = `
INSERT INTO embeddings (model, text_hash, vector)
SELECT $1, text_hash, vector FROM unnest($2::bytea[], $3::bytea[]) AS made (text_hash, vector)
ON CONFLICT (model, text_hash) DO UPDATE SET vector = excluded.vector`;

/** Stores vectors of texts, by their SHA-256. */
export async function saveEmbeddings(
  queries: Queries,
  model: string,
  vectors: ReadonlyMap<Uint8Array, Float32Array>,
): Promise<void> {
  const hashes = new List([...vectors.keys()]);
  const bytes = [...vectors.values()].map(
    ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength),
  );
  await queries.query(SAVE, [model, hashes, new List(bytes)]);
}
