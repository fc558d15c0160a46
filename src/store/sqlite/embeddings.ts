import type { Database, Statement } from "better-sqlite3";

/** Vectors that model servers made of texts, by model and the text's SHA-256. */
export class SqliteEmbeddings {
  readonly #find: Statement<[string, Uint8Array], Uint8Array>;
  readonly #save: Statement<[string, Uint8Array, Uint8Array]>;

  constructor(db: Database) {
    this.#find = db
      .prepare<[string, Uint8Array], Uint8Array>(
        "SELECT vector FROM embeddings WHERE model = ? AND text_hash = ?",
      )
      .pluck();
    this.#save = db.prepare("INSERT OR REPLACE INTO embeddings (model, text_hash, vector) VALUES (?, ?, ?)");
  }

  find(model: string, textHash: Uint8Array): Float32Array | undefined {
    const bytes = this.#find.get(model, textHash);
    return bytes && new Float32Array(Uint8Array.from(bytes).buffer);
  }

  /** Part of the caller's transaction. */
  save(model: string, textHash: Uint8Array, vector: Float32Array): void {
    this.#save.run(model, textHash, new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
  }
}
