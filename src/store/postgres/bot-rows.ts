import type { BotDocument } from "../../domain/bot.ts";
import { type BotRow, originOfBoth, type VersionFacts } from "../bot-rows.ts";
import type { StoredBot } from "../interface/bots.ts";
import type { Queries } from "./connection.ts";
import { storableText } from "./storable.ts";

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

/** The same document may have been written in another way; what a file says, too, is the file's from then on. */
export async function rewrite(
  queries: Queries,
  { key, version, origin }: BotRow,
  facts: VersionFacts,
): Promise<void> {
  await queries.query(
    "UPDATE bot_versions SET yaml = coalesce($1, yaml), origin = $2 WHERE bot_key = $3 AND version = $4",
    [storableOrNull(facts.yaml), originOfBoth(origin, facts.origin), key, version],
  );
}

export function storableOrNull(text: string | undefined): string | null {
  return text === undefined ? null : storableText(text);
}
