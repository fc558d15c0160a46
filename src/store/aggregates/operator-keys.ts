import type { NewOperatorKeyRecord, StoredOperatorKey } from "../interface/operators.ts";
import { keyFromRow, keyIssueOf, keyRemovalOf, type OperatorKeyRow } from "../operators/operator-rows.ts";
import { json, type Sql, sql } from "../sql/sql.ts";
import { all, allGiven, first, firstGiven, run, type Work } from "../sql/work.ts";
import { AuditedPart } from "./part.ts";

const SELECT = sql`
  SELECT id, label, permissions, operators.name AS "createdBy", operators.role AS "makerRole",
    operator_keys.created_at AS "createdAt", expires_at AS "expiresAt", last_used_at AS "lastUsedAt"
  FROM operator_keys JOIN operators ON operators.key = operator_key`;

/** Keys for scripts, by hash. */
export class SqlOperatorKeys extends AuditedPart {
  /** Oldest first, expired ones included. */
  async list(): Promise<StoredOperatorKey[]> {
    const statement = sql`${SELECT} ORDER BY operator_keys.key`;
    return (await this.engine.read(() => allGiven<OperatorKeyRow>(statement))).map(keyFromRow);
  }

  async find(hash: Uint8Array): Promise<StoredOperatorKey | undefined> {
    const row = await this.engine.read(() => firstGiven<OperatorKeyRow>(sql`${SELECT} WHERE hash = ${hash}`));
    return row && keyFromRow(row);
  }

  /** @returns false if its maker, or the key that makes it, is gone. */
  add(key: NewOperatorKeyRecord): Promise<boolean> {
    return this.engine.write(() => this.#add(key));
  }

  /** Removes the key and everything that it made. @returns false if no key has this id. */
  remove(id: string): Promise<boolean> {
    return this.engine.write(() => this.#remove(id));
  }

  /** Updates when it was last used. */
  async touch(id: string): Promise<void> {
    const statement = sql`UPDATE operator_keys SET last_used_at = ${this.now()} WHERE id = ${id}`;
    await this.engine.write(() => run(statement));
  }

  *#add(key: NewOperatorKeyRecord): Work<boolean> {
    const { id, hash, label, permissions, createdBy, expiresAt, madeBy } = key;
    const added = yield* run(sql`
      INSERT INTO operator_keys (id, hash, label, permissions, operator_key, created_at, expires_at, made_by_key)
      SELECT ${id}, ${hash}, ${label}, ${json(permissions)}, key, ${this.now()}, ${expiresAt}, ${keyOf(madeBy)}
      FROM operators WHERE lower(name) = lower(${createdBy}) AND ${isKeyThere(madeBy)}`);
    if (added > 0) yield* this.changes.append(keyIssueOf(key));
    return added > 0;
  }

  *#remove(id: string): Work<boolean> {
    const made = yield* all<{ id: string }>(sql`
      WITH RECURSIVE made AS (
        SELECT key, id FROM operator_keys WHERE made_by_key = ${keyOf(id)}
        UNION ALL
        SELECT operator_keys.key, operator_keys.id FROM operator_keys JOIN made ON operator_keys.made_by_key = made.key
      ) SELECT id FROM made ORDER BY key`);
    const removed = yield* first<{ label: string }>(
      sql`DELETE FROM operator_keys WHERE id = ${id} RETURNING label`,
    );
    if (removed === undefined) return false;
    const ids = made.map((key) => key.id);
    yield* this.changes.append(keyRemovalOf({ id, label: removed.label }, ids));
    return true;
  }
}

/** SQL expression for the key that makes something; NULL if an operator makes it. */
export function keyOf(id: string | undefined): Sql {
  return id === undefined ? sql`NULL` : sql`(SELECT key FROM operator_keys WHERE id = ${id})`;
}

/** Condition: an operator makes it, or the key that makes it still exists. */
export function isKeyThere(id: string | undefined): Sql {
  return id === undefined ? sql`true` : sql`EXISTS (SELECT 1 FROM operator_keys WHERE id = ${id})`;
}
