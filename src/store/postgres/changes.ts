import type { Actor, Change } from "../../domain/change.ts";
import type { Now } from "../../domain/time.ts";
import { changeFromRow, type ChangeRow, expiryOf } from "../changes/change-rows.ts";
import { currentActorOr } from "../changes/current-actor.ts";
import type { ChangeFilter, Changes, RecordedChange } from "../interface/changes.ts";
import type { Parameter, Queries } from "./connection.ts";
import type { Pool } from "./pool.ts";
import { storableJson } from "./storable.ts";

const INSERT = `
INSERT INTO changes (at, actor_kind, actor_name, command, kind, subject, bots, fields, omitted_fields)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;

/** A day's first row is inserted, and its sum grows. */
const ADD_EXPIRED = `
${INSERT}
ON CONFLICT (subject, actor_name) WHERE kind = 'conversations.expired' DO UPDATE SET fields = jsonb_set(
  changes.fields::jsonb, '{0,before}', to_jsonb((changes.fields::jsonb #>> '{0,before}')::bigint + $10::bigint))::text`;

const LIST = `
SELECT key::float8 AS key, at::float8 AS at, actor_kind, actor_name, command, kind, subject, bots, fields,
  omitted_fields::float8 AS omitted_fields
FROM changes
WHERE ($1::bigint IS NULL OR at >= $1) AND ($2::bigint IS NULL OR key < $2)
  AND ($3::text IS NULL OR bots::jsonb @> to_jsonb($3::text))
ORDER BY key DESC LIMIT $4`;

/** What was changed, when, and by whom or what. Rows are only ever added; a trigger sees to it. */
export class PostgresChanges implements Changes {
  readonly #pool: Pool;
  readonly #now: Now;
  readonly #by: Actor;

  constructor(pool: Pool, now: Now, by: Actor) {
    this.#pool = pool;
    this.#now = now;
    this.#by = by;
  }

  /** Who answers for changes now. */
  actor(): Actor {
    return currentActorOr(this.#by);
  }

  /** Notes a change; to be called in the transaction that makes it. */
  async append(queries: Queries, change: Change): Promise<void> {
    await queries.query(INSERT, this.#rowOf(change, currentActorOr(this.#by)));
  }

  /** Notes that conversations have expired. A sweep may delete some every minute, so those of a day are one row. */
  async addExpired(queries: Queries, conversations: number): Promise<void> {
    const row = this.#rowOf(expiryOf(conversations, this.#now()), this.#by);
    await queries.query(ADD_EXPIRED, [...row, conversations]);
  }

  async list({ since, bot, before, limit }: ChangeFilter): Promise<RecordedChange[]> {
    const filter = [since ?? null, before ?? null, bot ?? null, limit];
    return (await this.#pool.query<ChangeRow>(LIST, filter)).map(changeFromRow);
  }

  #rowOf({ kind, subject, bots, fields, omittedFields = 0 }: Change, by: Actor): Parameter[] {
    const { kind: actor, name, command = null } = by;
    const texts = [storableJson(bots), storableJson(fields)] as const;
    return [this.#now(), actor, name, command, kind, subject, ...texts, omittedFields];
  }
}
