import type { Role } from "../../domain/operator/access.ts";
import type { Now } from "../../domain/time.ts";
import { isoOf } from "../changes/change-rows.ts";
import type {
  ForceOptions,
  NewLink,
  OperatorOutcome,
  Operators,
  StoredOperator,
} from "../interface/operators.ts";
import {
  type OperatorRow,
  additionOf,
  keyIsThere,
  operatorChange,
  operatorFromRow,
  removalOf,
} from "../operators/operator-rows.ts";
import type { PostgresChanges } from "./changes.ts";
import type { Queries } from "./connection.ts";
import type { Pool } from "./pool.ts";

/** The columns of {@link OperatorRow}. */
export const OPERATOR_COLUMNS = `operators.key::float8 AS key, name, role, password_hash, operators.created_at::float8 AS created_at,
  last_seen_at::float8 AS last_seen_at`;

const FIND = `SELECT ${OPERATOR_COLUMNS} FROM operators WHERE lower(name) = lower($1)`;

/** Whoever changes owners waits for whoever does so already: two of them would each take the other for the last but one. */
const LOCK_OWNERS = "SELECT key FROM operators WHERE role = 'owner' ORDER BY key FOR UPDATE";

const ISSUE_LINK = `
INSERT INTO sign_in_links (operator_key, hash, expires_at, made_by_key)
SELECT $1, $2, $3, (SELECT key FROM operator_keys WHERE id = $4) WHERE ${keyIsThere("$4::text")}
ON CONFLICT (operator_key) DO UPDATE
SET hash = excluded.hash, expires_at = excluded.expires_at, made_by_key = excluded.made_by_key RETURNING operator_key`;

/** Operators of the API, in PostgreSQL. */
export class PostgresOperators implements Operators {
  readonly #pool: Pool;
  readonly #now: Now;
  readonly #changes: PostgresChanges;

  constructor(pool: Pool, now: Now, changes: PostgresChanges) {
    this.#pool = pool;
    this.#now = now;
    this.#changes = changes;
  }

  async list(): Promise<StoredOperator[]> {
    const rows = await this.#pool.query<OperatorRow>(
      `SELECT ${OPERATOR_COLUMNS} FROM operators ORDER BY lower(name)`,
    );
    return rows.map(operatorFromRow);
  }

  find(name: string): Promise<StoredOperator | undefined> {
    return find(this.#pool, name);
  }

  async isAny(): Promise<boolean> {
    return (await this.#pool.query("SELECT 1 FROM operators LIMIT 1")).length > 0;
  }

  add({ name, role }: Pick<StoredOperator, "name" | "role">): Promise<boolean> {
    return this.#pool.transaction(async (queries) => {
      const added = await queries.query(
        "INSERT INTO operators (name, role, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING key",
        [name, role, this.#now()],
      );
      if (added.length > 0) await this.#changes.append(queries, additionOf({ name, role }));
      return added.length > 0;
    });
  }

  setRole(name: string, role: Role, { force = false }: ForceOptions = {}): Promise<OperatorOutcome> {
    return this.#pool.transaction(async (queries) => {
      const owners = await queries.query(LOCK_OWNERS);
      const operator = await find(queries, name);
      if (operator === undefined) return "unknown";
      if (operator.role === role) return "done";
      if (!force && operator.role === "owner" && owners.length === 1) return "last_owner";
      await queries.query("UPDATE operators SET role = $1 WHERE key = $2", [role, operator.key]);
      await endSessions(queries, operator);
      const fields = [{ field: "role", before: operator.role, after: role }];
      await this.#changes.append(queries, operatorChange("operator.role-changed", operator, fields));
      return "done";
    });
  }

  remove(name: string, { force = false }: ForceOptions = {}): Promise<OperatorOutcome> {
    return this.#pool.transaction(async (queries) => {
      const owners = await queries.query(LOCK_OWNERS);
      const operator = await find(queries, name);
      if (operator === undefined) return "unknown";
      if (!force && operator.role === "owner" && owners.length === 1) return "last_owner";
      const keys = await queries.query<{ id: string }>(
        "SELECT id FROM operator_keys WHERE operator_key = $1 ORDER BY key",
        [operator.key],
      );
      await queries.query("DELETE FROM operators WHERE key = $1", [operator.key]);
      const ids = keys.map(({ id }) => id);
      await this.#changes.append(queries, removalOf(operator, ids));
      return "done";
    });
  }

  issueLink(name: string, { hash, expiresAt, madeBy }: NewLink): Promise<boolean> {
    return this.#pool.transaction(async (queries) => {
      const operator = await find(queries, name);
      if (operator === undefined) return false;
      const issued = await queries.query(ISSUE_LINK, [operator.key, hash, expiresAt, madeBy ?? null]);
      if (issued.length === 0) return false;
      const fields = [{ field: "expiresAt", after: isoOf(expiresAt) }];
      await this.#changes.append(queries, operatorChange("operator.link-issued", operator, fields));
      return true;
    });
  }

  async findByLink(hash: Uint8Array): Promise<StoredOperator | undefined> {
    const [row] = await this.#pool.query<OperatorRow>(
      `SELECT ${OPERATOR_COLUMNS} FROM sign_in_links JOIN operators ON operators.key = operator_key
       WHERE hash = $1 AND expires_at > $2`,
      [hash, this.#now()],
    );
    return row && operatorFromRow(row);
  }

  setPassword(name: string, passwordHash: string, sessionHash: Uint8Array): Promise<boolean> {
    return this.#pool.transaction(async (queries) => {
      const operator = await find(queries, name);
      if (operator === undefined) return false;
      const now = this.#now();
      await queries.query("UPDATE operators SET password_hash = $1 WHERE key = $2", [
        passwordHash,
        operator.key,
      ]);
      await endSessions(queries, operator);
      await queries.query(
        "INSERT INTO operator_sessions (hash, operator_key, opened_by, created_at, seen_at) VALUES ($1, $2, 'password', $3, $3)",
        [sessionHash, operator.key, now],
      );
      await this.#changes.append(queries, operatorChange("operator.password-set", operator));
      return true;
    });
  }
}

async function find(queries: Queries, name: string): Promise<StoredOperator | undefined> {
  const [row] = await queries.query<OperatorRow>(FIND, [name]);
  return row && operatorFromRow(row);
}

async function endSessions(queries: Queries, { key }: StoredOperator): Promise<void> {
  await queries.query("DELETE FROM operator_sessions WHERE operator_key = $1", [key]);
}
