import { Type } from "@sinclair/typebox";

import type { Change } from "../../domain/change.ts";
import { BotId } from "../../domain/ids.ts";
import type { EpochMs } from "../../domain/time.ts";
import { isoOf } from "../changes/noted-changes.ts";
import type { NewEmbedTokenRecord, StoredEmbedToken } from "../interface/embed-tokens.ts";
import { JsonColumn } from "../json-column.ts";
import { among, byEngine, sql } from "../sql/sql.ts";
import { allGiven, firstGiven, run, type Work } from "../sql/work.ts";
import { bumpGeneration, lockGeneration } from "./generation.ts";
import { AuditedPart } from "./part.ts";

/** A column of the query below only; the ids come from `bots`. */
const IDS_OF_BOTS = new JsonColumn("embed_tokens.bot_ids", Type.Array(BotId));

const BOT_IDS = byEngine({
  sqlite: "json_group_array(bots.id ORDER BY bots.key)",
  postgres: "json_agg(bots.id ORDER BY bots.key)::text",
});

const SELECT_TOKEN = sql`
  SELECT embed_tokens.key, embed_tokens.id, label, embed_tokens.created_at AS "createdAt", expires_at AS "expiresAt",
    revoked_at AS "revokedAt",
    (SELECT ${BOT_IDS} FROM embed_token_bots JOIN bots ON bots.key = bot_key
     WHERE embed_token_key = embed_tokens.key) AS "botIds"
  FROM embed_tokens`;

/** Embed tokens, by hash. */
export class SqlEmbedTokens extends AuditedPart {
  /** Oldest first, revoked and expired ones included. */
  list(): Promise<StoredEmbedToken[]> {
    return this.engine.read(listEmbedTokens);
  }

  async findByHash(hash: Uint8Array): Promise<StoredEmbedToken | undefined> {
    const statement = sql`${SELECT_TOKEN} WHERE hash = ${hash}`;
    const row = await this.engine.read(() => firstGiven<EmbedTokenRow>(statement));
    return row && tokenFromRow(row);
  }

  /** The bots must exist. */
  create(token: NewEmbedTokenRecord): Promise<void> {
    return this.engine.write(() => this.#create(token));
  }

  /** @returns false when no token has this id; revoking twice keeps the first instant. */
  revoke(id: string): Promise<boolean> {
    return this.engine.write(() => this.#revoke(id));
  }

  *#create(token: NewEmbedTokenRecord): Work<void> {
    yield* lockGeneration();
    const { id, hash, botIds, label, expiresAt } = token;
    yield* run(sql`
      INSERT INTO embed_tokens (id, hash, label, created_at, expires_at)
      VALUES (${id}, ${hash}, ${label}, ${this.now()}, ${expiresAt})`);
    yield* run(sql`
      INSERT INTO embed_token_bots (embed_token_key, bot_key)
      SELECT embed_tokens.key, bots.key FROM embed_tokens CROSS JOIN bots
      WHERE embed_tokens.id = ${id} AND bots.id IN ${among(botIds)}`);
    yield* this.changes.append(issueOf(token));
    yield* bumpGeneration();
  }

  *#revoke(id: string): Work<boolean> {
    yield* lockGeneration();
    const row = yield* firstGiven<EmbedTokenRow>(sql`${SELECT_TOKEN} WHERE embed_tokens.id = ${id}`);
    if (!row || row.revokedAt !== undefined) return row !== undefined;
    const at = this.now();
    yield* run(sql`UPDATE embed_tokens SET revoked_at = ${at} WHERE key = ${row.key}`);
    yield* this.changes.append(revocationOf(tokenFromRow(row), at));
    yield* bumpGeneration();
    return true;
  }
}

/** Oldest first, revoked and expired ones included. */
export function* listEmbedTokens(): Work<StoredEmbedToken[]> {
  return (yield* allGiven<EmbedTokenRow>(sql`${SELECT_TOKEN} ORDER BY embed_tokens.key`)).map(tokenFromRow);
}

/** An embed token as statements read it. */
type EmbedTokenRow = Omit<StoredEmbedToken, "botIds"> & { botIds?: string };

/** The change that records an issued token. */
function issueOf({ id, botIds, label, expiresAt }: NewEmbedTokenRecord): Change {
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

/** The change that records a revoked token. */
function revocationOf({ id, botIds }: StoredEmbedToken, at: EpochMs): Change {
  return {
    kind: "token.revoked",
    subject: id,
    bots: botIds,
    fields: [{ field: "revokedAt", after: isoOf(at) }],
  };
}

function tokenFromRow({ botIds, ...token }: EmbedTokenRow): StoredEmbedToken {
  return { ...token, botIds: IDS_OF_BOTS.parse(botIds ?? "[]", `embed token ${token.id}`) };
}
