import { Type } from "@sinclair/typebox";
import type { Database, Statement } from "better-sqlite3";

import type { Change } from "../../domain/change.ts";
import { BotId, type EmbedTokenId } from "../../domain/ids.ts";
import type { EpochMs, Now } from "../../domain/time.ts";
import type { EmbedTokenKey, StoredEmbedToken, NewEmbedTokenRecord } from "../interface/embed-tokens.ts";
import { JsonColumn } from "../json-column.ts";
import { type ChangeRecorder, NO_CHANGES, isoOf } from "./changes/change-log.ts";
import { bumpRegistry } from "./registry.ts";

/** A token as statements read it, whatever the engine. */
export interface EmbedTokenRow {
  key: EmbedTokenKey;
  id: EmbedTokenId;
  bot_ids: string | null;
  label: string | null;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
}

/** A column of the query below alone: the ids come from `bots`. */
const BOT_IDS = new JsonColumn("embed_tokens.bot_ids", Type.Array(BotId));

const SELECT_TOKEN = `
  SELECT embed_tokens.key, embed_tokens.id, label, embed_tokens.created_at, expires_at, revoked_at,
    (SELECT json_group_array(bots.id) FROM embed_token_bots JOIN bots ON bots.key = bot_key
     WHERE embed_token_key = embed_tokens.key) AS bot_ids
  FROM embed_tokens`;

/** Embed tokens, by hash (decisions §4). */
export class EmbedTokenStore {
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
        bumpRegistry(this.#db);
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
    bumpRegistry(this.#db);
  }
}

/** What is told of a token that was issued. */
export function issueOf({ id, botIds, label, expiresAt }: NewEmbedTokenRecord): Change {
  return {
    kind: "token.issued",
    subject: id,
    bots: botIds,
    fields: [
      { field: "bots", added: botIds },
      ...(label === undefined ? [] : [{ field: "label", after: label }]),
      ...(expiresAt === undefined ? [] : [{ field: "expiresAt", after: isoOf(expiresAt) }]),
    ],
  };
}

/** What is told of a token that is revoked. */
export function revocationOf({ id, botIds }: StoredEmbedToken, at: EpochMs): Change {
  return {
    kind: "token.revoked",
    subject: id,
    bots: botIds,
    fields: [{ field: "revokedAt", after: isoOf(at) }],
  };
}

export function tokenFromRow(row: EmbedTokenRow): StoredEmbedToken {
  return {
    key: row.key,
    id: row.id,
    botIds: BOT_IDS.parse(row.bot_ids ?? "[]", `embed token ${row.id}`),
    createdAt: row.created_at,
    ...(row.label !== null && { label: row.label }),
    ...(row.expires_at !== null && { expiresAt: row.expires_at }),
    ...(row.revoked_at !== null && { revokedAt: row.revoked_at }),
  };
}
