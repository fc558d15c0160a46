import { Type } from "@sinclair/typebox";

import { KnowledgeEntry } from "../../../domain/knowledge.ts";
import { listOf } from "../../../domain/schemas.ts";
import type { BotKey } from "../../interface/bots.ts";
import type { SourcesChange, StoredSource } from "../../interface/knowledge.ts";
import { JsonColumn } from "../../json-column.ts";
import { json, sql } from "../../sql/sql.ts";
import { allGiven, run, type Work } from "../../sql/work.ts";

const ENTRIES = new JsonColumn("knowledge_sources.entry", KnowledgeEntry, "seed the bot again");

const OUTCOMES = new JsonColumn(
  "knowledge_sources.outcome",
  Type.Object({
    at: Type.Integer(),
    unreadable: Type.Optional(Type.String()),
    skipped: listOf(Type.Object({ place: Type.String(), reason: Type.String(), isKept: Type.Boolean() })),
  }),
  "refresh the bot's knowledge",
);

/** A source as statements read it; NULL columns are left out. */
type SourceRow = Omit<StoredSource, "entry" | "outcome" | "isRetired"> & {
  entry: string;
  outcome?: string;
  isRetired: number | boolean;
};

export function* listSources(bot: BotKey): Work<StoredSource[]> {
  const rows = yield* allGiven<SourceRow>(sql`
    SELECT name, origin, folder, entry, outcome, is_retired AS "isRetired" FROM knowledge_sources WHERE bot_key = ${bot} ORDER BY place`);
  return rows.map((row) => sourceFromRow(row, bot));
}

export function* replaceSources(bot: BotKey, sources: readonly StoredSource[]): Work<void> {
  yield* run(sql`DELETE FROM knowledge_sources WHERE bot_key = ${bot}`);
  for (const [place, { name, origin, folder, entry, outcome, isRetired = false }] of sources.entries())
    yield* run(sql`
      INSERT INTO knowledge_sources (bot_key, name, place, origin, folder, entry, outcome, is_retired)
      VALUES (${bot}, ${name}, ${place}, ${origin}, ${folder}, ${json(entry)}, ${outcome && json(outcome)}, ${isRetired})`);
}

/** Whether a change of sources changes the set of sources that visitors get answers from. */
export function changesAnswers({ before, after }: SourcesChange): boolean {
  const retired = (sources: readonly StoredSource[]) =>
    new Set(sources.filter(({ isRetired }) => isRetired).map(({ name }) => name));
  return retired(before).symmetricDifference(retired(after)).size > 0;
}

function sourceFromRow({ entry, outcome, isRetired, ...source }: SourceRow, bot: BotKey): StoredSource {
  const row = `bot ${bot}, source ${source.name}`;
  return {
    ...source,
    entry: ENTRIES.parse(entry, row),
    ...(outcome !== undefined && { outcome: OUTCOMES.parse(outcome, row) }),
    ...(isRetired && { isRetired: true }),
  };
}
