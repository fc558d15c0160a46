import type { BotDocument } from "../../domain/bot.ts";
import type { EpochMs } from "../../domain/time.ts";
import type { BotRow, VersionFacts } from "../bot-rows.ts";
import type { BotKey, StoredBot } from "../interface/bots.ts";
import type { Queries } from "./connection.ts";
import { storableJson, storableText } from "./storable.ts";

export const SELECT_BOT = `
SELECT bots.key::float8 AS key, bots.id, bots.enabled::int4 AS enabled, bots.version::float8 AS version, bots.intent_model,
  bots.created_at::float8 AS created_at, bots.updated_at::float8 AS updated_at, bot_versions.document, bot_versions.origin
FROM bots JOIN bot_versions ON bot_versions.bot_key = bots.key AND bot_versions.version = bots.version`;

/** A bot as it is now. */
export async function findRow(queries: Queries, id: string): Promise<BotRow | undefined> {
  const [row] = await queries.query<BotRow>(`${SELECT_BOT} WHERE bots.id = $1`, [id]);
  return row;
}

/** The bots that are not among the documents, by id. */
export async function listOthers(
  queries: Queries,
  documents: readonly BotDocument[],
): Promise<Pick<StoredBot, "id" | "key">[]> {
  const ids = new Set(documents.map(({ id }) => id));
  const all = await queries.query<Pick<StoredBot, "id" | "key">>(
    "SELECT id, key::float8 AS key FROM bots ORDER BY id",
  );
  return all.filter(({ id }) => !ids.has(id));
}

/** Whether a bot's version stands there as this text. */
export async function isWrittenAs(
  queries: Queries,
  { key, version }: BotRow,
  yaml: string,
): Promise<boolean> {
  const [row] = await queries.query<{ same: boolean }>(
    "SELECT yaml IS NOT DISTINCT FROM $1 AS same FROM bot_versions WHERE bot_key = $2 AND version = $3",
    [storableText(yaml), key, version],
  );
  return row!.same;
}

function storableOrNull(text: string | undefined): string | null {
  return text === undefined ? null : storableText(text);
}

/** A version as it is stored: when, and by whom. */
interface NewVersion {
  key: BotKey;
  version: number;
  document: BotDocument;
  at: EpochMs;
  by: string;
}

export async function insertVersion(
  queries: Queries,
  { key, version, document, at, by }: NewVersion,
  { origin, yaml, note, restoredFrom }: VersionFacts,
): Promise<void> {
  const written = [storableOrNull(yaml), origin, by, storableOrNull(note), restoredFrom ?? null];
  await queries.query(
    `INSERT INTO bot_versions (bot_key, version, document, created_at, yaml, origin, published_by, note, restored_from)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [key, version, storableJson(document), at, ...written],
  );
}
