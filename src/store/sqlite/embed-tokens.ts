import type { Database, Statement } from "better-sqlite3";

import type { Now } from "../../domain/time.ts";
import { type EmbedTokenRow, issueOf, revocationOf, tokenFromRow } from "../embed-token-rows.ts";
import type { StoredEmbedToken, NewEmbedTokenRecord } from "../interface/embed-tokens.ts";
import { type ChangeRecorder, NO_CHANGES } from "./changes/changes.ts";
import { bumpGeneration } from "./generation.ts";

const SELECT_TOKEN = `
  SELECT embed_tokens.key, embed_tokens.id, label, embed_tokens.created_at, expires_at, revoked_at,
    (SELECT json_group_array(bots.id) FROM embed_token_bots JOIN bots ON bots.key = bot_key
     WHERE embed_token_key = embed_tokens.key) AS bot_ids
  FROM embed_tokens`;

/** Embed tokens, by hash (decisions §4). */
export class SqliteEmbedTokens {
  readonly #db: Database;
  readonly #now: Now;
  readonly #changes: ChangeRecorder;
  /** Prepared once: a flood of unknown tokens asks it for each (3 instead of 18 µs). */
  readonly #byHash: Statement<[Uint8Array], EmbedTokenRow>;

  constructor(db: Database, now: Now, changes: ChangeRecorder = NO_CHANGES) {
    this.#db = db;
    this.#now = now;
    this.#changes = changes;
    this.#byHash = db.prepare(`${SELECT_TOKEN} WHERE hash = ?`);
  }

  /** Oldest first, revoked and expired ones included. */
  list(): StoredEmbedToken[] {
    return this.#db
      .prepare<[], EmbedTokenRow>(`${SELECT_TOKEN} ORDER BY embed_tokens.key`)
      .all()
      .map(tokenFromRow);
  }

  findByHash(hash: Uint8Array): StoredEmbedToken | undefined {
    const row = this.#byHash.get(hash);
    return row && tokenFromRow(row);
  }

  /** The bots must exist. */
  create(token: NewEmbedTokenRecord): void {
    this.#db
      .transaction(() => {
        const { lastInsertRowid: key } = this.#db
          .prepare(
            "INSERT INTO embed_tokens (id, hash, label, created_at, expires_at) VALUES (?, ?, ?, ?, ?)",
          )
          .run(token.id, token.hash, token.label ?? null, this.#now(), token.expiresAt ?? null);
        const grant = this.#db.prepare(
          "INSERT INTO embed_token_bots (embed_token_key, bot_key) SELECT ?, key FROM bots WHERE id = ?",
        );
        for (const botId of token.botIds) grant.run(key, botId);
        this.#changes.append(issueOf(token));
        bumpGeneration(this.#db);
      })
      .immediate();
  }

  /** @returns false when no token has this id; revoking twice keeps the first instant. */
  revoke(id: string): boolean {
    return this.#db
      .transaction(() => {
        const row = this.#db.prepare<[string], EmbedTokenRow>(`${SELECT_TOKEN} WHERE id = ?`).get(id);
        if (row && row.revoked_at === null) this.#revoke(tokenFromRow(row));
        return row !== undefined;
      })
      .immediate();
  }

  #revoke(token: StoredEmbedToken): void {
    const at = this.#now();
    this.#db.prepare("UPDATE embed_tokens SET revoked_at = ? WHERE key = ?").run(at, token.key);
    this.#changes.append(revocationOf(token, at));
    bumpGeneration(this.#db);
  }
}
