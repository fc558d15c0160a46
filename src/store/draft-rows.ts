import type { SeenDraft, StoredDraft } from "./interface/bots.ts";

/** A draft as statements read it, whatever the engine. */
export interface DraftRow {
  yaml: string;
  base_version: number;
  revision: number;
  updated_at: number;
  updated_by: string;
}

export function draftFromRow(row: DraftRow): StoredDraft {
  return {
    yaml: row.yaml,
    baseVersion: row.base_version,
    revision: row.revision,
    updatedAt: row.updated_at,
    updatedBy: row.updated_by,
  };
}

export function seenOf(stored: StoredDraft | undefined): SeenDraft {
  return stored?.revision ?? "none";
}

/** The draft that takes another's place. Its revision begins with the time, so that one which was deleted does not come back. */
export function nextDraft(
  content: Pick<StoredDraft, "yaml" | "baseVersion">,
  stored: StoredDraft | undefined,
  now: number,
  updatedBy: string,
): StoredDraft {
  return { ...content, revision: Math.max(now, (stored?.revision ?? 0) + 1), updatedAt: now, updatedBy };
}
