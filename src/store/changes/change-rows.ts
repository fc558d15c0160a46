import { Type } from "@sinclair/typebox";

import { maskStored } from "../../config/settings.ts";
import { type Actor, type Change, type ChangeKind, FieldChange } from "../../domain/change.ts";
import { BotId } from "../../domain/ids.ts";
import { listOf } from "../../domain/schemas.ts";
import type { EpochMs } from "../../domain/time.ts";
import type { RecordedChange } from "../interface/changes.ts";
import { JsonColumn } from "../json-column.ts";

/** A change as statements read it, whatever the engine. */
export interface ChangeRow {
  key: number;
  at: number;
  actor_kind: Actor["kind"];
  actor_name: string;
  command: string | null;
  kind: ChangeKind;
  subject: string;
  bots: string;
  fields: string;
  omitted_fields: number;
}

const BOTS = new JsonColumn("changes.bots", Type.Array(BotId));

const FIELDS = new JsonColumn("changes.fields", listOf(FieldChange));

/** What is told of conversations that have expired; those of a day are one change. */
export function expiryOf(conversations: number, at: EpochMs): Change {
  return {
    kind: "conversations.expired",
    subject: isoOf(at).slice(0, 10),
    bots: [],
    fields: [{ field: "conversations", before: conversations, after: 0 }],
  };
}

/** An instant as changes tell it. */
export function isoOf(at: EpochMs): string {
  return new Date(at).toISOString();
}

export function changeFromRow(row: ChangeRow): RecordedChange {
  const place = `change ${row.key}`;
  const fields = FIELDS.parse(row.fields, place);
  return {
    key: row.key,
    at: row.at,
    by: {
      kind: row.actor_kind,
      name: row.actor_name,
      ...(row.command !== null && { command: row.command }),
    },
    kind: row.kind,
    subject: row.subject,
    bots: BOTS.parse(row.bots, place),
    fields: row.kind === "server.settings" ? fields.map(withoutSecrets) : fields,
    omittedFields: row.omitted_fields,
  };
}

/** Earlier versions stored secrets of settings, and rows are never edited. */
function withoutSecrets(change: FieldChange): FieldChange {
  const { field, isCut: _, ...values } = change;
  const shown = Object.entries(values).map(([name, value]) => [name, maskStored(field, value)]);
  return { ...change, ...Object.fromEntries(shown) };
}
