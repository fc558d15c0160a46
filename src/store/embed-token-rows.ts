import { Type } from "@sinclair/typebox";

import type { Change } from "../domain/change.ts";
import { BotId, type EmbedTokenId } from "../domain/ids.ts";
import type { EpochMs } from "../domain/time.ts";
import { isoOf } from "./changes/change-rows.ts";
import type { EmbedTokenKey, StoredEmbedToken, NewEmbedTokenRecord } from "./interface/embed-tokens.ts";
import { JsonColumn } from "./json-column.ts";

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
