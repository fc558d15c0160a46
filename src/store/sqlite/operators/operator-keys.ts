import type { Database } from "better-sqlite3";

import type { Now } from "../../../domain/time.ts";
import type { NewOperatorKeyRecord, StoredOperatorKey } from "../../interface/operators.ts";
import {
  keyFromRow,
  keyIssueOf,
  keyIsThere,
  keyRemovalOf,
  madeKeysOf,
  type OperatorKeyRow,
} from "../../operators/operator-rows.ts";
import type { ChangeRecorder } from "../changes/changes.ts";

const SELECT = `
  SELECT id, label, permissions, operators.name AS created_by, operators.role AS maker_role,
    operator_keys.created_at, expires_at, last_used_at
  FROM operator_keys JOIN operators ON operators.key = operator_key`;

/** Keys for scripts, in SQLite. */
export class SqliteOperatorKeys {
  readonly #db: Database;
  readonly #now: Now;
  readonly #changes: ChangeRecorder;

  constructor(db: Database, now: Now, changes: ChangeRecorder) {
    this.#db = db;
    this.#now = now;
    this.#changes = changes;
  }

  /** Oldest first. */
  list(): StoredOperatorKey[] {
    return this.#db.prepare<[], OperatorKeyRow>(`${SELECT} ORDER BY operator_keys.key`).all().map(keyFromRow);
  }

  find(hash: Uint8Array): StoredOperatorKey | undefined {
    const row = this.#db.prepare<[Uint8Array], OperatorKeyRow>(`${SELECT} WHERE hash = ?`).get(hash);
    return row && keyFromRow(row);
  }

  add(key: NewOperatorKeyRecord): boolean {
    const { permissions, expiresAt = null, madeBy = null } = key;
    return this.#transact(() => {
      const { changes } = this.#db
        .prepare(
          `INSERT INTO operator_keys (id, hash, label, permissions, operator_key, created_at, expires_at, made_by_key)
           SELECT @id, @hash, @label, @permissions, key, @now, @expiresAt, (SELECT key FROM operator_keys WHERE id = @madeBy)
           FROM operators WHERE name = @createdBy AND ${keyIsThere("@madeBy")}`,
        )
        .run({ ...key, permissions: JSON.stringify(permissions), now: this.#now(), expiresAt, madeBy });
      if (changes > 0) this.#changes.append(keyIssueOf(key));
      return changes > 0;
    });
  }

  remove(id: string): boolean {
    return this.#transact(() => {
      const made = this.#db.prepare<[string], string>(madeKeysOf("?")).pluck().all(id);
      const label = this.#db
        .prepare<[string], string>("DELETE FROM operator_keys WHERE id = ? RETURNING label")
        .pluck()
        .get(id);
      if (label !== undefined) this.#changes.append(keyRemovalOf({ id, label }, made));
      return label !== undefined;
    });
  }

  touch(id: string): void {
    this.#db.prepare("UPDATE operator_keys SET last_used_at = ? WHERE id = ?").run(this.#now(), id);
  }

  #transact<Result>(work: () => Result): Result {
    return this.#db.transaction(work).immediate();
  }
}
