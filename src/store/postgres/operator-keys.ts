import type { Now } from "../../domain/time.ts";
import type { NewOperatorKeyRecord, OperatorKeys, StoredOperatorKey } from "../interface/operators.ts";
import {
  keyFromRow,
  keyIssueOf,
  keyIsThere,
  keyRemovalOf,
  madeKeysOf,
  type OperatorKeyRow,
} from "../operators/operator-rows.ts";
import type { PostgresChanges } from "./changes.ts";
import type { Pool } from "./pool.ts";

const SELECT = `
SELECT id, label, permissions, operators.name AS created_by, operators.role AS maker_role,
  operator_keys.created_at::float8 AS created_at, expires_at::float8 AS expires_at, last_used_at::float8 AS last_used_at
FROM operator_keys JOIN operators ON operators.key = operator_key`;

const INSERT = `
INSERT INTO operator_keys (id, hash, label, permissions, operator_key, created_at, expires_at, made_by_key)
SELECT $1, $2, $3, $4, key, $5, $6, (SELECT key FROM operator_keys WHERE id = $8) FROM operators
WHERE lower(name) = lower($7) AND ${keyIsThere("$8::text")} RETURNING id`;

/** Keys for scripts, in PostgreSQL. */
export class PostgresOperatorKeys implements OperatorKeys {
  readonly #pool: Pool;
  readonly #now: Now;
  readonly #changes: PostgresChanges;

  constructor(pool: Pool, now: Now, changes: PostgresChanges) {
    this.#pool = pool;
    this.#now = now;
    this.#changes = changes;
  }

  async list(): Promise<StoredOperatorKey[]> {
    return (await this.#pool.query<OperatorKeyRow>(`${SELECT} ORDER BY operator_keys.key`)).map(keyFromRow);
  }

  async find(hash: Uint8Array): Promise<StoredOperatorKey | undefined> {
    const [row] = await this.#pool.query<OperatorKeyRow>(`${SELECT} WHERE hash = $1`, [hash]);
    return row && keyFromRow(row);
  }

  add(key: NewOperatorKeyRecord): Promise<boolean> {
    const { id, hash, label, permissions, createdBy, expiresAt = null, madeBy = null } = key;
    return this.#pool.transaction(async (queries) => {
      const row = [id, hash, label, JSON.stringify(permissions), this.#now(), expiresAt, createdBy, madeBy];
      const added = await queries.query(INSERT, row);
      if (added.length > 0) await this.#changes.append(queries, keyIssueOf(key));
      return added.length > 0;
    });
  }

  remove(id: string): Promise<boolean> {
    return this.#pool.transaction(async (queries) => {
      const made = await queries.query<{ id: string }>(madeKeysOf("$1"), [id]);
      const [removed] = await queries.query<{ label: string }>(
        "DELETE FROM operator_keys WHERE id = $1 RETURNING label",
        [id],
      );
      const ids = made.map((key) => key.id);
      if (removed) await this.#changes.append(queries, keyRemovalOf({ id, label: removed.label }, ids));
      return removed !== undefined;
    });
  }

  async touch(id: string): Promise<void> {
    await this.#pool.query("UPDATE operator_keys SET last_used_at = $1 WHERE id = $2", [this.#now(), id]);
  }
}
