import type { Actor, FieldChange } from "../domain/change.ts";
import type { EpochMs } from "../domain/time.ts";
import type { ChangeFilter, RecordedChange } from "../store/interface/changes.ts";
import type { Changes } from "../store/interface/store.ts";

/** A change as operators see it. */
export interface AuditedChange {
  /** Its sequence number, used for paging. */
  number: number;
  /** ISO 8601, UTC. */
  at: string;
  by: Actor;
  what: RecordedChange["kind"];
  /** Id of a bot, token or conversation, or a file name. */
  subject: string;
  bots: readonly string[];
  fields: readonly FieldChange[];
  /** Number of fields left out because they are too large. */
  omittedFields: number;
}

/** Changes, newest first, and the start of the next page. */
export interface ChangePage {
  changes: AuditedChange[];
  /** The `before` of the next page; null on the last one. */
  next: number | null;
}

/** Lists changes with author, time, earlier and new values, one page at a time. */
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
