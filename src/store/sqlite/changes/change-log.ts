import { Type } from "@sinclair/typebox";
import type { Database } from "better-sqlite3";

import { maskStored } from "../../../config/settings.ts";
import { type Actor, type Change, type ChangeKind, FieldChange } from "../../../domain/change.ts";
import { BotId } from "../../../domain/ids.ts";
import { listOf } from "../../../domain/schemas.ts";
import type { EpochMs, Now } from "../../../domain/time.ts";
import { actingOr } from "../../changes/acting.ts";
import type { RecordedChange, ChangeFilter } from "../../interface/changes.ts";
import { JsonColumn } from "../../json-column.ts";

/** Where whatever changes something says so, in its own transaction. */
export interface ChangeRecorder {
  append(change: Change): void;
  /** Who answers for changes now. */
  actor(): Actor;
}

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

const INSERT = `
  INSERT INTO changes (at, actor_kind, actor_name, command, kind, subject, bots, fields, omitted_fields)
  VALUES (@at, @actorKind, @actorName, @command, @kind, @subject, @bots, @fields, @omittedFields)`;

/** A day's first row is inserted, and its sum grows. */
const ADD_EXPIRED = `
  ${INSERT}
  ON CONFLICT (subject, actor_name) WHERE kind = 'conversations.expired'
  DO UPDATE SET fields = json_set(fields, '$[0].before', (fields ->> '$[0].before') + @conversations)`;

/** What was changed, when, and by whom or what. Rows are only ever added; a trigger sees to it. */
export class ChangeLog implements ChangeRecorder {
  readonly #db: Database;
  readonly #now: Now;
  readonly #by: Actor;

  constructor(db: Database, now: Now, by: Actor) {
    this.#db = db;
    this.#now = now;
    this.#by = by;
  }

  actor(): Actor {
    return actingOr(this.#by);
  }

  /** Notes a change; to be called in the transaction that makes it. */
  append(change: Change): void {
    this.#db.prepare(INSERT).run(this.#rowOf(change, actingOr(this.#by)));
  }

  /** Notes that conversations have expired. A sweep may delete some every minute, so those of a day are one row. */
  addExpired(conversations: number): void {
    const change = expiryOf(conversations, this.#now());
    this.#db.prepare(ADD_EXPIRED).run({ ...this.#rowOf(change, this.#by), conversations });
  }

  /** The latest first. */
  list({ since, bot, before, limit }: ChangeFilter): RecordedChange[] {
    const conditions = [
      ...(since === undefined ? [] : ["at >= @since"]),
      ...(before === undefined ? [] : ["key < @before"]),
      ...(bot === undefined ? [] : ["EXISTS (SELECT 1 FROM json_each(bots) WHERE value = @bot)"]),
    ];
    return this.#db
      .prepare<object, ChangeRow>(
        `SELECT * FROM changes WHERE ${conditions.join(" AND ") || "TRUE"} ORDER BY key DESC LIMIT @limit`,
      )
      .all({ since, bot, before, limit })
      .map(changeFromRow);
  }

  #rowOf({ kind, subject, bots, fields, omittedFields = 0 }: Change, by: Actor) {
    return {
      at: this.#now(),
      actorKind: by.kind,
      actorName: by.name,
      command: by.command ?? null,
      kind,
      subject,
      bots: JSON.stringify(bots),
      fields: JSON.stringify(fields),
      omittedFields,
    };
  }
}

/** What is told of conversations that have expired; those of a day are one change. */
export function expiryOf(conversations: number, at: EpochMs): Change {
  return {
    kind: "conversations.expired",
    subject: isoOf(at).slice(0, 10),
    bots: [],
    fields: [{ field: "conversations", before: conversations, after: 0 }],
  };
}

/** Of a store that is only looked at. */
export const NO_CHANGES: ChangeRecorder = {
  append({ kind }) {
    throw new Error(`${kind}: this store is only read, and nobody would answer for a change`);
  },
  actor() {
    throw new Error("this store is only read, and nobody answers for changes");
  },
};

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
