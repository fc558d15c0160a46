import { Type } from "@sinclair/typebox";

import { maskStored } from "../../config/settings.ts";
import { type Actor, type Change, type ChangeKind, FieldChange } from "../../domain/change.ts";
import { BotId } from "../../domain/ids.ts";
import { listOf } from "../../domain/schemas.ts";
import type { Now } from "../../domain/time.ts";
import { currentActorOr } from "../changes/current-actor.ts";
import { expiryOf } from "../changes/noted-changes.ts";
import type { ChangeFilter, RecordedChange } from "../interface/changes.ts";
import { JsonColumn } from "../json-column.ts";
import { byEngine, json, type Sql, sql, where } from "../sql/sql.ts";
import { all, type Engine, run, type Work } from "../sql/work.ts";

/** A change as statements read it. */
interface ChangeRow {
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

/** The row of a day's expired conversations, with more of them added. */
const WITH_MORE = {
  before: byEngine({
    sqlite: "json_set(changes.fields, '$[0].before', (changes.fields ->> '$[0].before') +",
    postgres:
      "jsonb_set(changes.fields::jsonb, '{0,before}', to_jsonb((changes.fields::jsonb #>> '{0,before}')::bigint +",
  }),
  after: byEngine({ sqlite: ")", postgres: "::bigint))::text" }),
};

const EACH_BOT = byEngine({
  sqlite: "json_each(bots) AS each",
  postgres: "jsonb_array_elements_text(bots::jsonb) AS each (value)",
});

/** The audit log: changes, their time and their actor. Rows are only ever added, which a trigger enforces. */
export class SqlChanges {
  readonly #engine: Pick<Engine, "read">;
  readonly #now: Now;
  readonly #by: Actor;

  /** @param by the actor of changes that name no other. */
  constructor(engine: Pick<Engine, "read">, now: Now, by: Actor) {
    this.#engine = engine;
    this.#now = now;
    this.#by = by;
  }

  /** The actor of changes that are recorded now. */
  actor(): Actor {
    return currentActorOr(this.#by);
  }

  /** Notes a change, in the transaction that makes it. */
  *append(change: Change): Work<void> {
    yield* run(this.#insertionOf(change, this.actor()));
  }

  /** Notes that conversations have expired. A sweep may delete some every minute, so those of a day are one row. */
  *addExpired(conversations: number): Work<void> {
    const insertion = this.#insertionOf(expiryOf(conversations, this.#now()), this.#by);
    yield* run(sql`${insertion}
      ON CONFLICT (subject, actor_name) WHERE kind = 'conversations.expired'
      DO UPDATE SET fields = ${WITH_MORE.before} ${conversations}${WITH_MORE.after}`);
  }

  /** The latest first. */
  list({ since, bot, before, limit }: ChangeFilter): Promise<RecordedChange[]> {
    const filter = where(
      since === undefined ? undefined : sql`at >= ${since}`,
      before === undefined ? undefined : sql`key < ${before}`,
      bot === undefined ? undefined : sql`EXISTS (SELECT 1 FROM ${EACH_BOT} WHERE each.value = ${bot})`,
    );
    return this.#engine.read(function* () {
      const rows = yield* all<ChangeRow>(
        sql`SELECT * FROM changes ${filter} ORDER BY key DESC LIMIT ${limit}`,
      );
      return rows.map(changeFromRow);
    });
  }

  #insertionOf({ kind, subject, bots, fields, omittedFields = 0 }: Change, by: Actor): Sql {
    return sql`
      INSERT INTO changes (at, actor_kind, actor_name, command, kind, subject, bots, fields, omitted_fields)
      VALUES (${this.#now()}, ${by.kind}, ${by.name}, ${by.command}, ${kind}, ${subject}, ${json(bots)}, ${json(fields)}, ${omittedFields})`;
  }
}

function changeFromRow(row: ChangeRow): RecordedChange {
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

/** Versions of Parley before this one stored secrets of settings; rows are never edited, so they are masked when they are read. */
function withoutSecrets(change: FieldChange): FieldChange {
  const { field, isCut: _, ...values } = change;
  const shown = Object.entries(values).map(([name, value]) => [name, maskStored(field, value)]);
  return { ...change, ...Object.fromEntries(shown) };
}
