import type { BotKey } from "../../interface/bots.ts";
import type { StoredSource } from "../../interface/knowledge.ts";
import { sourceFromRow, type SourceRow } from "../../knowledge/source-rows.ts";
import { List, type Queries } from "../connection.ts";
import { storableJson, textList } from "../storable.ts";

const LIST = `
SELECT name, origin, folder, entry, outcome, is_retired FROM knowledge_sources WHERE bot_key = $1 ORDER BY place`;

const INSERT = `
INSERT INTO knowledge_sources (bot_key, name, place, origin, folder, entry, outcome, is_retired)
SELECT $1::bigint, * FROM unnest($2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::boolean[])`;

export async function listSources(queries: Queries, bot: BotKey): Promise<StoredSource[]> {
  return (await queries.query<SourceRow>(LIST, [bot])).map((row) => sourceFromRow(row, bot));
}

/** Part of the caller's transaction. */
export async function replaceSources(
  queries: Queries,
  bot: BotKey,
  sources: readonly StoredSource[],
): Promise<void> {
  await queries.query("DELETE FROM knowledge_sources WHERE bot_key = $1", [bot]);
  await queries.query(INSERT, [
    bot,
    textList(sources, ({ name }) => name),
    new List([...sources.keys()]),
    textList(sources, ({ origin }) => origin),
    textList(sources, ({ folder }) => folder),
    textList(sources, ({ entry }) => storableJson(entry)),
    textList(sources, ({ outcome }) => outcome && storableJson(outcome)),
    new List(sources.map(({ isRetired = false }) => isRetired)),
  ]);
}
