import type { Actor, FieldChange } from "../domain/change.ts";
import type { EpochMs } from "../domain/time.ts";
import type { ChangeFilter, RecordedChange, Changes } from "../store/interface/changes.ts";

/** A change as operators read it, in a terminal or elsewhere. */
export interface AuditedChange {
  /** Its place in the order of changes, for asking for what was before. */
  number: number;
  /** ISO 8601, UTC. */
  at: string;
  by: Actor;
  what: RecordedChange["kind"];
  /** The id of a bot, a token or a conversation, or a file. */
  subject: string;
  bots: readonly string[];
  fields: readonly FieldChange[];
  /** Fields that were left out, as they would have taken too much room. */
  omittedFields: number;
}

/** Changes, the latest first, and where the next page begins. */
export interface ChangePage {
  changes: AuditedChange[];
  /** The `before` of the next page; null where there is none. */
  next: number | null;
}

/** Lists what was changed, when, by whom or what, and what was before and after; a page at a time. */
export async function auditChanges(log: Changes, filter: ChangeFilter): Promise<ChangePage> {
  const found = await log.list({ ...filter, limit: filter.limit + 1 });
  const page = found.slice(0, filter.limit);
  return { changes: page.map(toAudited), next: found.length > page.length ? page.at(-1)!.key : null };
}

function toAudited({
  key,
  at,
  by,
  kind,
  subject,
  bots,
  fields,
  omittedFields,
}: RecordedChange): AuditedChange {
  return { number: key, at: toIso(at), by, what: kind, subject, bots, fields, omittedFields };
}

function toIso(at: EpochMs): string {
  return new Date(at).toISOString();
}
