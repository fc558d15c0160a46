import type { InstanceId } from "../../domain/ids.ts";
import type { EpochMs } from "../../domain/time.ts";
import { ENCODER_OFF, type Unencoded, UNUSED_VECTORS_KEPT_MS, type Vectors } from "../interface/vectors.ts";
import type { Heartbeat } from "../lease-observer.ts";
import { LIST_RUNNING, MARK_USED } from "../vector-sql.ts";
import { List, type Queries } from "./connection.ts";
import type { PostgresInstances } from "./instances.ts";
import { IS_ANSWERED_FROM } from "./knowledge/documents.ts";
import type { Pool } from "./pool.ts";

interface PostgresVectorsParts {
  pool: Pool;
  /** For reading what may be much. */
  looks: Pool;
  instances: PostgresInstances;
}

/** Of servers that start at the same moment, one after the other looks what the others run. */
const TAKE_TURNS = "LOCK TABLE encoders IN EXCLUSIVE MODE";

const NOTE_ENCODER = "INSERT INTO encoders (version) VALUES ($1) ON CONFLICT DO NOTHING";

const LIST_UNENCODED_MODELS = `
SELECT id FROM intent_models WHERE id = ANY($1::text[])
  AND NOT EXISTS (SELECT FROM sentence_models WHERE intent_model = intent_models.id AND encoder = $2) ORDER BY id`;

const LIST_UNENCODED_PASSAGES = `
SELECT wanted.key::float8 AS key FROM unnest($1::bigint[]) WITH ORDINALITY AS wanted (key, position)
WHERE NOT EXISTS (SELECT FROM passage_vectors WHERE passage_key = wanted.key AND encoder = $2)
ORDER BY wanted.position`;

/** A passage that is being deleted is left alone: the lock waits for that. */
const SAVE_PASSAGES = `
INSERT INTO passage_vectors (passage_key, encoder, bytes)
SELECT key, $3, bytes FROM unnest($1::bigint[], $2::bytea[]) AS made (passage, bytes)
JOIN LATERAL (SELECT key FROM knowledge_passages WHERE key = made.passage FOR KEY SHARE) AS there ON true
ON CONFLICT DO NOTHING`;

const COUNT_BOTS = `
SELECT count(*)::int4 AS count FROM bots JOIN intent_models ON intent_models.id = bots.intent_model
WHERE enabled AND NOT EXISTS (SELECT FROM sentence_models WHERE intent_model = intent_models.id AND encoder = $1)`;

const COUNT_PASSAGES = `
SELECT count(*)::int4 AS count FROM knowledge_passages
JOIN knowledge_documents ON knowledge_documents.key = document_key
JOIN bots ON bots.key = knowledge_documents.bot_key
WHERE enabled AND ${IS_ANSWERED_FROM}
  AND NOT EXISTS (SELECT FROM passage_vectors WHERE passage_key = knowledge_passages.key AND encoder = $1)`;

/** What the encoder makes of examples and passages, in PostgreSQL. */
export class PostgresVectors implements Vectors {
  readonly #parts: PostgresVectorsParts;

  constructor(parts: PostgresVectorsParts) {
    this.#parts = parts;
  }

  runEncoder(encoder: string, ignoring: readonly InstanceId[] = []): Promise<Heartbeat[]> {
    const { pool, instances } = this.#parts;
    return pool.transaction(async (queries) => {
      await queries.query(TAKE_TURNS);
      const unlike = (await instances.listUnlike(queries, encoder)).filter(
        ({ id }) => !ignoring.includes(id),
      );
      if (unlike.length > 0) return unlike;
      await instances.runEncoder(queries, encoder);
      if (encoder !== ENCODER_OFF) await queries.query(NOTE_ENCODER, [encoder]);
      return [];
    });
  }

  async listRunning(): Promise<string[]> {
    const rows = await this.#parts.looks.query<{ encoder: string }>(LIST_RUNNING);
    return rows.map(({ encoder }) => encoder);
  }

  async listUnencodedModels(intentModelIds: readonly string[], encoder: string): Promise<string[]> {
    const rows = await this.#parts.looks.query<{ id: string }>(LIST_UNENCODED_MODELS, [
      new List(intentModelIds),
      encoder,
    ]);
    return rows.map(({ id }) => id);
  }

  saveSentenceModel(intentModelId: string, encoder: string, bytes: Uint8Array): Promise<void> {
    return this.#parts.pool.transaction((queries) =>
      saveSentences(queries, intentModelId, { encoder, bytes }),
    );
  }

  async listUnencodedPassages(passages: readonly number[], encoder: string): Promise<number[]> {
    const rows = await this.#parts.looks.query<{ key: number }>(LIST_UNENCODED_PASSAGES, [
      new List(passages),
      encoder,
    ]);
    return rows.map(({ key }) => key);
  }

  savePassageVectors(vectors: ReadonlyMap<number, Uint8Array>, encoder: string): Promise<void> {
    return this.#parts.pool.transaction(async (queries) => {
      await queries.query(NOTE_ENCODER, [encoder]);
      await queries.query(SAVE_PASSAGES, [
        new List([...vectors.keys()]),
        new List([...vectors.values()]),
        encoder,
      ]);
    });
  }

  async findPassageVectors(passage: number, encoder: string): Promise<Uint8Array | undefined> {
    const [row] = await this.#parts.pool.query<{ bytes: Uint8Array }>(
      "SELECT bytes FROM passage_vectors WHERE passage_key = $1 AND encoder = $2",
      [passage, encoder],
    );
    return row?.bytes;
  }

  async countUnencoded(encoder: string): Promise<Unencoded> {
    const count = async (text: string) =>
      (await this.#parts.looks.query<{ count: number }>(text, [encoder]))[0]!.count;
    return { bots: await count(COUNT_BOTS), passages: await count(COUNT_PASSAGES) };
  }
}

/** Part of the caller's transaction. What is there already stays: all who make it make the same. */
export async function saveSentences(
  queries: Queries,
  intentModelId: string,
  { encoder, bytes }: { encoder: string; bytes: Uint8Array },
): Promise<void> {
  await queries.query(NOTE_ENCODER, [encoder]);
  await queries.query(
    `INSERT INTO sentence_models (intent_model, encoder, bytes)
     SELECT id, $2, $3 FROM intent_models WHERE id = $1 FOR KEY SHARE ON CONFLICT DO NOTHING`,
    [intentModelId, encoder, bytes],
  );
}

const MARK_UNUSED = `
UPDATE encoders SET unused_since = $1
WHERE unused_since IS NULL AND version NOT IN (SELECT encoder FROM instances WHERE encoder IS NOT NULL)`;

const FIND_UNUSED = `
SELECT version FROM encoders WHERE unused_since <= $1 LIMIT 1 FOR UPDATE SKIP LOCKED`;

const deleteFrom = (table: string) => `
DELETE FROM ${table} WHERE ctid IN (SELECT ctid FROM ${table} WHERE encoder = $1 LIMIT $2) RETURNING 1`;
const DELETE_PASSAGES = deleteFrom("passage_vectors");
const DELETE_SENTENCES = deleteFrom("sentence_models");

/**
 * Deletes some of the vectors of encoders that no server has run for {@link UNUSED_VECTORS_KEPT_MS}; part of the caller's transaction, for
 * where the clock is believed.
 *
 * @returns how many rows.
 */
export async function deleteUnusedVectors(queries: Queries, now: EpochMs, most: number): Promise<number> {
  await queries.query(MARK_USED);
  await queries.query(MARK_UNUSED, [now]);
  const [unused] = await queries.query<{ version: string }>(FIND_UNUSED, [now - UNUSED_VECTORS_KEPT_MS]);
  if (unused === undefined) return 0;
  const passages = await queries.query(DELETE_PASSAGES, [unused.version, most]);
  const sentences = await queries.query(DELETE_SENTENCES, [unused.version, most]);
  const deleted = passages.length + sentences.length;
  if (deleted === 0) await queries.query("DELETE FROM encoders WHERE version = $1", [unused.version]);
  return deleted;
}
