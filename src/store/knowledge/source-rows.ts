import { Type } from "@sinclair/typebox";

import { KnowledgeEntry } from "../../domain/knowledge.ts";
import { listOf } from "../../domain/schemas.ts";
import type { BotKey } from "../interface/bots.ts";
import type { SourcesChange, StoredSource } from "../interface/knowledge.ts";
import { JsonColumn } from "../json-column.ts";

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
