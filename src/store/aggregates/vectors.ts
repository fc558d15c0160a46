import type { InstanceId } from "../../domain/ids.ts";
import type { EpochMs } from "../../domain/time.ts";
import { ENCODER_OFF, type Unencoded, UNUSED_VECTORS_KEPT_MS } from "../interface/vectors.ts";
import type { Heartbeat } from "../lease-observer.ts";
import { among, byEngine, sql, text } from "../sql/sql.ts";
import { all, type Engine, first, run, type Work } from "../sql/work.ts";
import { INTENT_MODEL_KEY, noteEncoder, saveSentences } from "./intent-models.ts";
import { IS_ANSWERED_FROM, IS_LIVE } from "./knowledge/documents.ts";

/** This server's row among the running servers. */
export interface OwnInstance {
  readonly own: InstanceId;
  /** Repeats the encoder when the server is registered again. */
  noteEncoder(encoder: string): void;
}

interface SqlVectorsParts {
  engine: Engine;
  /** For large reads. */
  looks: Pick<Engine, "read">;
  instance: OwnInstance;
}

/**
 * Serialises servers that start at the same moment: two with different encoders would otherwise not see each other. SQLite has one writer.
 */
const TAKE_TURNS = byEngine({
  sqlite: "SELECT 1",
  postgres: "LOCK TABLE encoders IN EXCLUSIVE MODE",
});

/** Locks the passages against deletion, and skips those that were deleted. */
const KEEPING_PASSAGE = byEngine({ sqlite: "", postgres: "FOR KEY SHARE" });

/** Skips a row that another server deletes at this moment. */
const UNLESS_TAKEN = byEngine({ sqlite: "", postgres: "FOR UPDATE SKIP LOCKED" });
/** Internal id of a row, to delete a limited number of rows: PostgreSQL has no `DELETE … LIMIT`. */
const ROW = byEngine({ sqlite: "rowid", postgres: "ctid" });

const isEncoded = (encoder: string) => sql`
  EXISTS (SELECT 1 FROM sentence_models WHERE intent_model = ${INTENT_MODEL_KEY} AND encoder = ${encoder})`;

/** The encoder's vectors of examples and passages, by the encoder's version. Byte arrays belong to the caller. */
export class SqlVectors {
  readonly #parts: SqlVectorsParts;

  constructor(parts: SqlVectorsParts) {
    this.#parts = parts;
  }

  /**
   * Records the encoder that this server runs, or `ENCODER_OFF`. Refused if another server runs one and this one does not, or the reverse.
   *
   * @param ignoring servers that are known to be dead.
   * @returns the servers that differ; if empty, the encoder is recorded.
   */
  registerEncoder(encoder: string, ignoring: readonly InstanceId[] = []): Promise<Heartbeat[]> {
    return this.#parts.engine.write(() => this.#registerEncoder(encoder, ignoring));
  }

  /** The encoders that servers run, each version once; `ENCODER_OFF` for servers without one. */
  async listRunning(): Promise<string[]> {
    const statement = sql`SELECT DISTINCT encoder FROM instances WHERE encoder IS NOT NULL ORDER BY 1`;
    const rows = await this.#parts.looks.read(() => all<{ encoder: string }>(statement));
    return rows.map(({ encoder }) => encoder);
  }

  /** Those of these intent models whose examples the encoder has not encoded. */
  async listUnencodedModels(intentModelIds: readonly string[], encoder: string): Promise<string[]> {
    const statement = sql`
      SELECT id FROM intent_models WHERE id IN ${among(intentModelIds)} AND NOT ${isEncoded(encoder)}`;
    const rows = await this.#parts.looks.read(() => all<{ id: string }>(statement));
    const unencoded = new Set(rows.map(({ id }) => id));
    return intentModelIds.filter((id) => unencoded.has(id));
  }

  /** Stores the vectors of an intent model's examples; empty if there is nothing to encode. Stores nothing if the model is gone. */
  saveSentenceModel(intentModelId: string, encoder: string, bytes: Uint8Array): Promise<void> {
    return this.#parts.engine.write(() => saveSentences(intentModelId, encoder, bytes));
  }

  /** Those of these passages that the encoder has not encoded. */
  async listUnencodedPassages(passages: readonly number[], encoder: string): Promise<number[]> {
    const statement = sql`
      SELECT passage_key FROM passage_vectors WHERE encoder = ${encoder} AND passage_key IN ${among(passages)}`;
    const rows = await this.#parts.looks.read(() => all<{ passage_key: number }>(statement));
    const encoded = new Set(rows.map(({ passage_key: passage }) => passage));
    return passages.filter((passage) => !encoded.has(passage));
  }

  /** Stores vectors of passages. Skips passages that are gone. */
  savePassageVectors(vectors: ReadonlyMap<number, Uint8Array>, encoder: string): Promise<void> {
    return this.#parts.engine.write(function* () {
      yield* noteEncoder(encoder);
      for (const [passage, bytes] of vectors)
        yield* run(sql`
          INSERT INTO passage_vectors (passage_key, encoder, bytes)
          SELECT key, ${encoder}, ${bytes} FROM knowledge_passages WHERE key = ${passage} ${KEEPING_PASSAGE}
          ON CONFLICT DO NOTHING`);
    });
  }

  /** Undefined if the encoder has not encoded the passage. */
  async findPassageVectors(passage: number, encoder: string): Promise<Uint8Array | undefined> {
    const statement = sql`SELECT bytes FROM passage_vectors WHERE passage_key = ${passage} AND encoder = ${encoder}`;
    return (await this.#parts.engine.read(() => first<{ bytes: Uint8Array }>(statement)))?.bytes;
  }

  countUnencoded(encoder: string): Promise<Unencoded> {
    return this.#parts.looks.read(function* () {
      const bots = yield* first<{ count: number }>(sql`
        SELECT count(*) AS count FROM bots JOIN intent_models ON intent_models.id = bots.intent_model
        WHERE enabled AND NOT ${isEncoded(encoder)}`);
      const passages = yield* first<{ count: number }>(sql`
        SELECT count(*) AS count FROM knowledge_passages
        JOIN knowledge_documents ON knowledge_documents.key = document_key
        JOIN bots ON bots.key = knowledge_documents.bot_key
        WHERE enabled AND ${IS_LIVE} AND ${IS_ANSWERED_FROM}
          AND NOT EXISTS (
            SELECT 1 FROM passage_vectors WHERE passage_key = knowledge_passages.key AND encoder = ${encoder})`);
      return { bots: bots!.count, passages: passages!.count };
    });
  }

  *#registerEncoder(encoder: string, ignoring: readonly InstanceId[]): Work<Heartbeat[]> {
    const { instance } = this.#parts;
    yield* run(TAKE_TURNS);
    // Servers that run an encoder if this one runs none, or none if this one runs one.
    const differs = sql`encoder ${text(encoder === ENCODER_OFF ? "<>" : "=")} ${ENCODER_OFF}`;
    const found = yield* all<Heartbeat>(
      sql`SELECT id, heartbeat FROM instances WHERE id <> ${instance.own} AND encoder IS NOT NULL AND ${differs}`,
    );
    const unlike = found.filter(({ id }) => !ignoring.includes(id));
    if (unlike.length > 0) return unlike;
    instance.noteEncoder(encoder);
    yield* run(sql`UPDATE instances SET encoder = ${encoder} WHERE id = ${instance.own}`);
    if (encoder !== ENCODER_OFF) yield* noteEncoder(encoder);
    return [];
  }
}

/**
 * Deletes up to `most` rows per table of one encoder that no server has run for {@link UNUSED_VECTORS_KEPT_MS}. A clock that jumped ahead
 * would delete vectors in use soon after: call it only while the clock is trusted.
 *
 * @returns number of deleted rows.
 */
export function* deleteUnusedVectors(now: EpochMs, most: number): Work<number> {
  yield* run(sql`
    UPDATE encoders SET unused_since = NULL
    WHERE unused_since IS NOT NULL AND version IN (SELECT encoder FROM instances)`);
  yield* run(sql`
    UPDATE encoders SET unused_since = ${now}
    WHERE unused_since IS NULL AND version NOT IN (SELECT encoder FROM instances WHERE encoder IS NOT NULL)`);
  const unused = yield* first<{ version: string }>(sql`
    SELECT version FROM encoders WHERE unused_since <= ${now - UNUSED_VECTORS_KEPT_MS} LIMIT 1 ${UNLESS_TAKEN}`);
  if (unused === undefined) return 0;
  let deleted = 0;
  for (const table of [text("passage_vectors"), text("sentence_models")])
    deleted += yield* run(sql`
      DELETE FROM ${table} WHERE ${ROW} IN (SELECT ${ROW} FROM ${table} WHERE encoder = ${unused.version} LIMIT ${most})`);
  if (deleted === 0) yield* run(sql`DELETE FROM encoders WHERE version = ${unused.version}`);
  return deleted;
}
