import type { Database } from "better-sqlite3";

import type { Actor, Change } from "../../../domain/change.ts";
import type { Now } from "../../../domain/time.ts";
import { type ChangeRow, expiryOf, changeFromRow } from "../../changes/change-rows.ts";
import { currentActorOr } from "../../changes/current-actor.ts";
import type { RecordedChange, ChangeFilter } from "../../interface/changes.ts";

/** Where whatever changes something says so, in its own transaction. */
export interface ChangeRecorder {
  append(change: Change): void;
  /** Who answers for changes now. */
  actor(): Actor;
}

const INSERT = `
  INSERT INTO changes (at, actor_kind, actor_name, command, kind, subject, bots, fields, omitted_fields)
  VALUES (@at, @actorKind, @actorName, @command, @kind, @subject, @bots, @fields, @omittedFields)`;

/** A day's first row is inserted, and its sum grows. */
const ADD_EXPIRED = `
  ${INSERT}
  ON CONFLICT (subject, actor_name) WHERE kind = 'conversations.expired'
  DO UPDATE SET fields = json_set(fields, '$[0].before', (fields ->> '$[0].before') + @conversations)`;

/** What was changed, when, and by whom or what. Rows are only ever added; a trigger sees to it. */
export class SqliteChanges implements ChangeRecorder {
  readonly #db: Database;
  readonly #now: Now;
  readonly #by: Actor;

  constructor(db: Database, now: Now, by: Actor) {
    this.#db = db;
    this.#now = now;
    this.#by = by;
  }

  actor(): Actor {
    return currentActorOr(this.#by);
  }

  /** Notes a change; to be called in the transaction that makes it. */
  append(change: Change): void {
    this.#db.prepare(INSERT).run(this.#rowOf(change, currentActorOr(this.#by)));
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

/** Of a store that is only looked at. */
export const NO_CHANGES: ChangeRecorder = {
  append({ kind }) {
    throw new Error(`${kind}: this store is only read, and nobody would answer for a change`);
  },
  actor() {
    throw new Error("this store is only read, and nobody answers for changes");
  },
};
