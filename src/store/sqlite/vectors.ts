import type { Database } from "better-sqlite3";

import type { InstanceId } from "../../domain/ids.ts";
import type { EpochMs } from "../../domain/time.ts";
import { ENCODER_OFF, type Unencoded, UNUSED_VECTORS_KEPT_MS, type Vectors } from "../interface/vectors.ts";
import { IS_ANSWERED_FROM } from "../knowledge/document-rows.ts";
import type { Heartbeat } from "../lease-observer.ts";
import { LIST_RUNNING, MARK_USED } from "../vector-sql.ts";
import type { SqliteInstances } from "./instances.ts";

interface SqliteVectorsParts {
  db: Database;
  /** Notes which encoder the server runs. */
  instances: Pick<SqliteInstances, "runEncoder" | "listUnlike">;
  write: <Result>(work: () => Result) => Promise<Result>;
  /** Reads, and turns the failures of storage into what callers learn of them. */
  read: <Result>(read: () => Result) => Result;
}

const NOTE_ENCODER = "INSERT INTO encoders (version) VALUES (?) ON CONFLICT DO NOTHING";

const IS_ENCODED = "SELECT 1 FROM sentence_models WHERE intent_model = intent_models.key AND encoder = ?";

const COUNT_BOTS = `
SELECT count(*) FROM bots JOIN intent_models ON intent_models.id = bots.intent_model
WHERE enabled = 1 AND NOT EXISTS (${IS_ENCODED})`;

const COUNT_PASSAGES = `
SELECT count(*) FROM knowledge_passages
JOIN knowledge_documents ON knowledge_documents.key = document_key
JOIN bots ON bots.key = knowledge_documents.bot_key
WHERE enabled = 1 AND is_live = 1 AND ${IS_ANSWERED_FROM}
  AND NOT EXISTS (SELECT 1 FROM passage_vectors WHERE passage_key = knowledge_passages.key AND encoder = ?)`;

const SAVE_SENTENCES = `
INSERT INTO sentence_models (intent_model, encoder, bytes) SELECT key, ?, ? FROM intent_models WHERE id = ?
ON CONFLICT DO NOTHING`;

const SAVE_PASSAGE = `
INSERT INTO passage_vectors (passage_key, encoder, bytes) SELECT key, ?, ? FROM knowledge_passages WHERE key = ?
ON CONFLICT DO NOTHING`;

/** What the encoder makes of examples and passages, in SQLite. */
export class SqliteVectors implements Vectors {
  readonly #parts: SqliteVectorsParts;

  constructor(parts: SqliteVectorsParts) {
    this.#parts = parts;
  }

  runEncoder(encoder: string, ignoring: readonly InstanceId[] = []): Promise<Heartbeat[]> {
    const { db, instances, write } = this.#parts;
    return write(() => {
      const unlike = instances.listUnlike(encoder).filter(({ id }) => !ignoring.includes(id));
      if (unlike.length > 0) return unlike;
      instances.runEncoder(encoder);
      if (encoder !== ENCODER_OFF) db.prepare(NOTE_ENCODER).run(encoder);
      return [];
    });
  }

  async listRunning(): Promise<string[]> {
    const { db, read } = this.#parts;
    return read(() => listRunning(db));
  }

  async listUnencodedModels(intentModelIds: readonly string[], encoder: string): Promise<string[]> {
    const { db, read } = this.#parts;
    const find = db.prepare(`SELECT 1 FROM intent_models WHERE id = ? AND NOT EXISTS (${IS_ENCODED})`);
    return read(() => intentModelIds.filter((id) => find.get(id, encoder) !== undefined));
  }

  saveSentenceModel(intentModelId: string, encoder: string, bytes: Uint8Array): Promise<void> {
    return this.#parts.write(() => saveSentences(this.#parts.db, intentModelId, { encoder, bytes }));
  }

  async listUnencodedPassages(passages: readonly number[], encoder: string): Promise<number[]> {
    const { db, read } = this.#parts;
    const find = db.prepare("SELECT 1 FROM passage_vectors WHERE passage_key = ? AND encoder = ?");
    return read(() => passages.filter((passage) => find.get(passage, encoder) === undefined));
  }

  savePassageVectors(vectors: ReadonlyMap<number, Uint8Array>, encoder: string): Promise<void> {
    const { db, write } = this.#parts;
    return write(() => {
      db.prepare(NOTE_ENCODER).run(encoder);
      const save = db.prepare(SAVE_PASSAGE);
      for (const [passage, bytes] of vectors) save.run(encoder, bytes, passage);
    });
  }

  async findPassageVectors(passage: number, encoder: string): Promise<Uint8Array | undefined> {
    const { db, read } = this.#parts;
    const find = db
      .prepare<[number, string], Buffer>(
        "SELECT bytes FROM passage_vectors WHERE passage_key = ? AND encoder = ?",
      )
      .pluck();
    return read(() => find.get(passage, encoder));
  }

  async countUnencoded(encoder: string): Promise<Unencoded> {
    const { db, read } = this.#parts;
    return read(() => countUnencoded(db, encoder));
  }
}

export function listRunning(db: Database): string[] {
  return db.prepare<[], string>(LIST_RUNNING).pluck().all();
}

export function countUnencoded(db: Database, encoder: string): Unencoded {
  const count = (sql: string) => db.prepare<[string], number>(sql).pluck().get(encoder)!;
  return { bots: count(COUNT_BOTS), passages: count(COUNT_PASSAGES) };
}

/** Part of the caller's transaction. What is there already stays: all who make it make the same. */
export function saveSentences(
  db: Database,
  intentModelId: string,
  { encoder, bytes }: { encoder: string; bytes: Uint8Array },
): void {
  db.prepare(NOTE_ENCODER).run(encoder);
  db.prepare(SAVE_SENTENCES).run(encoder, bytes, intentModelId);
}

const MARK_UNUSED = `
UPDATE encoders SET unused_since = ?
WHERE unused_since IS NULL AND version NOT IN (SELECT encoder FROM instances WHERE encoder IS NOT NULL)`;

/**
 * Deletes some of the vectors of encoders that no server has run for {@link UNUSED_VECTORS_KEPT_MS}; part of the caller's transaction, for
 * where the clock is believed.
 *
 * @returns how many rows.
 */
export function deleteUnusedVectors(db: Database, now: EpochMs, most: number): number {
  db.prepare(MARK_USED).run();
  db.prepare(MARK_UNUSED).run(now);
  const unused = db
    .prepare<[EpochMs], string>("SELECT version FROM encoders WHERE unused_since <= ? LIMIT 1")
    .pluck()
    .get(now - UNUSED_VECTORS_KEPT_MS);
  if (unused === undefined) return 0;
  const deleteSome = (table: string) =>
    db
      .prepare(`DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE encoder = ? LIMIT ?)`)
      .run(unused, most).changes;
  const deleted = deleteSome("passage_vectors") + deleteSome("sentence_models");
  if (deleted === 0) db.prepare("DELETE FROM encoders WHERE version = ?").run(unused);
  return deleted;
}
