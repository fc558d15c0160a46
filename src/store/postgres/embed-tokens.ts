import type { Now } from "../../domain/time.ts";
import { type EmbedTokenRow, issueOf, revocationOf, tokenFromRow } from "../embed-token-rows.ts";
import type { EmbedTokens, NewEmbedTokenRecord, StoredEmbedToken } from "../interface/embed-tokens.ts";
import type { PostgresChanges } from "./changes.ts";
import { List } from "./connection.ts";
import { bumpGeneration, lockGeneration } from "./generation.ts";
import type { Pool } from "./pool.ts";

const SELECT_TOKEN = `
SELECT embed_tokens.key::float8 AS key, embed_tokens.id, label, embed_tokens.created_at::float8 AS created_at,
  expires_at::float8 AS expires_at, revoked_at::float8 AS revoked_at,
  (SELECT json_agg(bots.id ORDER BY bots.key)::text FROM embed_token_bots JOIN bots ON bots.key = bot_key
   WHERE embed_token_key = embed_tokens.key) AS bot_ids
FROM embed_tokens`;

const INSERT = `
WITH token AS (
  INSERT INTO embed_tokens (id, hash, label, created_at, expires_at) VALUES ($1, $2, $3, $4, $5) RETURNING key
)
INSERT INTO embed_token_bots (embed_token_key, bot_key) SELECT token.key, bots.key FROM token, bots WHERE bots.id = ANY($6::text[])`;

/** Embed tokens, by hash (decisions §4). */
export class PostgresEmbedTokens implements EmbedTokens {
  readonly #pool: Pool;
  readonly #now: Now;
  readonly #changes: PostgresChanges;

  constructor(pool: Pool, now: Now, changes: PostgresChanges) {
    this.#pool = pool;
    this.#now = now;
    this.#changes = changes;
  }

  async list(): Promise<StoredEmbedToken[]> {
    const rows = await this.#pool.query<EmbedTokenRow>(`${SELECT_TOKEN} ORDER BY embed_tokens.key`);
    return rows.map(tokenFromRow);
  }

  async findByHash(hash: Uint8Array): Promise<StoredEmbedToken | undefined> {
    const [row] = await this.#pool.query<EmbedTokenRow>(`${SELECT_TOKEN} WHERE hash = $1`, [hash]);
    return row && tokenFromRow(row);
  }

  create(token: NewEmbedTokenRecord): Promise<void> {
    return this.#pool.transaction(async (queries) => {
      await lockGeneration(queries);
      const { id, hash, label = null, expiresAt = null } = token;
      const bots = new List(token.botIds);
      await queries.query(INSERT, [id, hash, label, this.#now(), expiresAt, bots]);
      await this.#changes.append(queries, issueOf(token));
      await bumpGeneration(queries);
    });
  }

  revoke(id: string): Promise<boolean> {
    return this.#pool.transaction(async (queries) => {
      await lockGeneration(queries);
      const [row] = await queries.query<EmbedTokenRow>(`${SELECT_TOKEN} WHERE embed_tokens.id = $1`, [id]);
      if (!row || row.revoked_at !== null) return row !== undefined;
      const at = this.#now();
      await queries.query("UPDATE embed_tokens SET revoked_at = $1 WHERE key = $2", [at, row.key]);
      await this.#changes.append(queries, revocationOf(tokenFromRow(row), at));
      await bumpGeneration(queries);
      return true;
    });
  }
}
