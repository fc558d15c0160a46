import type { Database } from "better-sqlite3";

import type { Role } from "../../../domain/operator/access.ts";
import type { Now } from "../../../domain/time.ts";
import { isoOf } from "../../changes/change-rows.ts";
import type { ForceOptions, NewLink, OperatorOutcome, StoredOperator } from "../../interface/operators.ts";
import {
  additionOf,
  keyIsThere,
  operatorChange,
  operatorFromRow,
  type OperatorRow,
  removalOf,
} from "../../operators/operator-rows.ts";
import type { ChangeRecorder } from "../changes/changes.ts";

/** Operators of the API, in SQLite. */
export class SqliteOperators {
  readonly #db: Database;
  readonly #now: Now;
  readonly #changes: ChangeRecorder;

  constructor(db: Database, now: Now, changes: ChangeRecorder) {
    this.#db = db;
    this.#now = now;
    this.#changes = changes;
  }

  /** By name. */
  list(): StoredOperator[] {
    return this.#db
      .prepare<[], OperatorRow>("SELECT * FROM operators ORDER BY name")
      .all()
      .map(operatorFromRow);
  }

  find(name: string): StoredOperator | undefined {
    const row = this.#db.prepare<[string], OperatorRow>("SELECT * FROM operators WHERE name = ?").get(name);
    return row && operatorFromRow(row);
  }

  isAny(): boolean {
    return this.#db.prepare("SELECT 1 FROM operators LIMIT 1").get() !== undefined;
  }

  add({ name, role }: Pick<StoredOperator, "name" | "role">): boolean {
    return this.#transact(() => {
      const { changes } = this.#db
        .prepare("INSERT INTO operators (name, role, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING")
        .run(name, role, this.#now());
      if (changes > 0) this.#changes.append(additionOf({ name, role }));
      return changes > 0;
    });
  }

  setRole(name: string, role: Role, { force = false }: ForceOptions = {}): OperatorOutcome {
    return this.#transact(() => {
      const operator = this.find(name);
      if (operator === undefined) return "unknown";
      if (operator.role === role) return "done";
      if (!force && this.#isLastOwner(operator)) return "last_owner";
      this.#db.prepare("UPDATE operators SET role = ? WHERE key = ?").run(role, operator.key);
      this.#endSessions(operator);
      const fields = [{ field: "role", before: operator.role, after: role }];
      this.#changes.append(operatorChange("operator.role-changed", operator, fields));
      return "done";
    });
  }

  remove(name: string, { force = false }: ForceOptions = {}): OperatorOutcome {
    return this.#transact(() => {
      const operator = this.find(name);
      if (operator === undefined) return "unknown";
      if (!force && this.#isLastOwner(operator)) return "last_owner";
      const keys = this.#db
        .prepare<[number], string>("SELECT id FROM operator_keys WHERE operator_key = ? ORDER BY key")
        .pluck()
        .all(operator.key);
      this.#db.prepare("DELETE FROM operators WHERE key = ?").run(operator.key);
      this.#changes.append(removalOf(operator, keys));
      return "done";
    });
  }

  issueLink(name: string, { hash, expiresAt, madeBy }: NewLink): boolean {
    return this.#transact(() => {
      const operator = this.find(name);
      if (operator === undefined) return false;
      const { changes } = this.#db
        .prepare(
          `INSERT INTO sign_in_links (operator_key, hash, expires_at, made_by_key)
           SELECT @key, @hash, @expiresAt, (SELECT key FROM operator_keys WHERE id = @madeBy) WHERE ${keyIsThere("@madeBy")}
           ON CONFLICT (operator_key) DO UPDATE
           SET hash = excluded.hash, expires_at = excluded.expires_at, made_by_key = excluded.made_by_key`,
        )
        .run({ key: operator.key, hash, expiresAt, madeBy: madeBy ?? null });
      if (changes === 0) return false;
      const fields = [{ field: "expiresAt", after: isoOf(expiresAt) }];
      this.#changes.append(operatorChange("operator.link-issued", operator, fields));
      return true;
    });
  }

  findByLink(hash: Uint8Array): StoredOperator | undefined {
    const row = this.#db
      .prepare<[Uint8Array, number], OperatorRow>(
        `SELECT operators.* FROM sign_in_links JOIN operators ON operators.key = operator_key
         WHERE hash = ? AND expires_at > ?`,
      )
      .get(hash, this.#now());
    return row && operatorFromRow(row);
  }

  setPassword(name: string, passwordHash: string, sessionHash: Uint8Array): boolean {
    return this.#transact(() => {
      const operator = this.find(name);
      if (operator === undefined) return false;
      const now = this.#now();
      this.#db
        .prepare("UPDATE operators SET password_hash = ? WHERE key = ?")
        .run(passwordHash, operator.key);
      this.#endSessions(operator);
      this.#db
        .prepare(
          "INSERT INTO operator_sessions (hash, operator_key, opened_by, created_at, seen_at) VALUES (?, ?, 'password', ?, ?)",
        )
        .run(sessionHash, operator.key, now, now);
      this.#changes.append(operatorChange("operator.password-set", operator));
      return true;
    });
  }

  #isLastOwner({ key, role }: StoredOperator): boolean {
    if (role !== "owner") return false;
    return (
      this.#db.prepare("SELECT 1 FROM operators WHERE role = 'owner' AND key <> ? LIMIT 1").get(key) ===
      undefined
    );
  }

  #endSessions({ key }: StoredOperator): void {
    this.#db.prepare("DELETE FROM operator_sessions WHERE operator_key = ?").run(key);
  }

  #transact<Result>(work: () => Result): Result {
    return this.#db.transaction(work).immediate();
  }
}
