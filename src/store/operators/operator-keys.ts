import type { Database } from "better-sqlite3";

import type { Now } from "../../domain/time.ts";
import type { ChangeRecorder } from "../changes/change-log.ts";
import type { NewOperatorKeyRecord, StoredOperatorKey } from "../interface/operators.ts";
import { type OperatorKeyRow, keyFromRow, keyIssueOf, keyRemovalOf } from "./operator-rows.ts";

const SELECT = `
  SELECT id, label, permissions, operators.name AS created_by, operators.role AS maker_role,
    operator_keys.created_at, expires_at, last_used_at
  FROM operator_keys JOIN operators ON operators.key = operator_key`;

/** Keys for scripts, in SQLite. */
export class OperatorKeyStore {
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
    const { id, hash, label, permissions, createdBy, expiresAt = null } = key;
    return this.#transact(() => {
      const { changes } = this.#db
        .prepare(
          `INSERT INTO operator_keys (id, hash, label, permissions, operator_key, created_at, expires_at)
           SELECT ?, ?, ?, ?, key, ?, ? FROM operators WHERE name = ?`,
        )
        .run(id, hash, label, JSON.stringify(permissions), this.#now(), expiresAt, createdBy);
      if (changes > 0) this.#changes.append(keyIssueOf(key));
      return changes > 0;
    });
  }

  remove(id: string): boolean {
    return this.#transact(() => {
      const label = this.#db
        .prepare<[string], string>("DELETE FROM operator_keys WHERE id = ? RETURNING label")
        .pluck()
        .get(id);
      if (label !== undefined) this.#changes.append(keyRemovalOf({ id, label }));
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
