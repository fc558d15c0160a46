import { Type } from "@sinclair/typebox";
import type { Database } from "better-sqlite3";

import { KnowledgeEntry } from "../../../domain/knowledge.ts";
import { listOf } from "../../../domain/schemas.ts";
import type { BotKey } from "../../interface/bots.ts";
import type { SourcesChange, StoredSource } from "../../interface/knowledge.ts";
import { JsonColumn } from "../../json-column.ts";

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

/** A source as statements read it, whatever the engine. */
export interface SourceRow {
  name: string;
  origin: StoredSource["origin"];
  folder: string;
  entry: string;
  outcome: string | null;
  is_retired: number | boolean;
}

/** The rows of sources. Its methods are parts of the caller's transaction. */
export class SourceRows {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  list(bot: BotKey): StoredSource[] {
    return this.#db
      .prepare<[BotKey], SourceRow>(
        `SELECT name, origin, folder, entry, outcome, is_retired FROM knowledge_sources
         WHERE bot_key = ? ORDER BY place`,
      )
      .all(bot)
      .map((row) => sourceFromRow(row, bot));
  }

  replace(bot: BotKey, sources: readonly StoredSource[]): void {
    this.#db.prepare("DELETE FROM knowledge_sources WHERE bot_key = ?").run(bot);
    const insert = this.#db.prepare(
      `INSERT INTO knowledge_sources (bot_key, name, place, origin, folder, entry, outcome, is_retired)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    for (const [place, { name, origin, folder, entry, outcome, isRetired = false }] of sources.entries())
      insert.run(bot, name, place, origin, folder, JSON.stringify(entry), jsonOf(outcome), Number(isRetired));
  }
}

function jsonOf(outcome: StoredSource["outcome"]): string | null {
  return outcome === undefined ? null : JSON.stringify(outcome);
}

export function sourceFromRow(
  { name, origin, folder, entry, outcome, is_retired: isRetired }: SourceRow,
  bot: BotKey,
): StoredSource {
  const row = `bot ${bot}, source ${name}`;
  return {
    name,
    origin,
    folder,
    entry: ENTRIES.parse(entry, row),
    ...(outcome !== null && { outcome: OUTCOMES.parse(outcome, row) }),
    ...(isRetired && { isRetired: true }),
  };
}

/** Whether visitors are answered from other sources than before. */
export function changesAnswers({ before, after }: SourcesChange): boolean {
  const retired = (sources: readonly StoredSource[]) =>
    new Set(sources.filter(({ isRetired }) => isRetired).map(({ name }) => name));
  return retired(before).symmetricDifference(retired(after)).size > 0;
}
