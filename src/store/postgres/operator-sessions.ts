import type { Now } from "../../domain/time.ts";
import {
  type OperatorSessions,
  SESSION_IDLE_MS,
  SESSION_LONGEST_MS,
  type StoredOperator,
  type StoredSession,
  isSessionLive,
} from "../interface/operators.ts";
import {
  type OperatorRow,
  type SessionRow,
  operatorChange,
  operatorFromRow,
  sessionFromRow,
} from "../operators/operator-rows.ts";
import type { PostgresChanges } from "./changes.ts";
import type { Queries } from "./connection.ts";
import { OPERATOR_COLUMNS } from "./operators.ts";
import type { Pool } from "./pool.ts";

const USE_LINK = `
WITH used AS (DELETE FROM sign_in_links WHERE hash = $1 AND expires_at > $2 RETURNING operator_key, made_by_key)
SELECT ${OPERATOR_COLUMNS}, made_by_key::float8 AS made_by_key FROM used JOIN operators ON operators.key = operator_key`;

const FIND = `
SELECT ${OPERATOR_COLUMNS}, operator_sessions.created_at::float8 AS begun_at, opened_by, seen_at::float8 AS seen_at,
  operator_keys.id AS key_id, operator_keys.expires_at::float8 AS key_expires_at
FROM operator_sessions JOIN operators ON operators.key = operator_sessions.operator_key
LEFT JOIN operator_keys ON operator_keys.key = operator_sessions.made_by_key
WHERE operator_sessions.hash = $1`;

const TOUCH = `
WITH seen AS (UPDATE operator_sessions SET seen_at = $2 WHERE hash = $1 RETURNING operator_key)
UPDATE operators SET last_seen_at = $2 WHERE key IN (SELECT operator_key FROM seen)`;

/** Sessions of operators, in PostgreSQL. Those that have ended are deleted when another begins. */
export class PostgresOperatorSessions implements OperatorSessions {
  readonly #pool: Pool;
  readonly #now: Now;
  readonly #changes: PostgresChanges;

  constructor(pool: Pool, now: Now, changes: PostgresChanges) {
    this.#pool = pool;
    this.#now = now;
    this.#changes = changes;
  }

  openByLink(linkHash: Uint8Array, sessionHash: Uint8Array): Promise<boolean> {
    return this.#pool.transaction(async (queries) => {
      const used = [linkHash, this.#now()];
      const [row] = await queries.query<OperatorRow & { made_by_key: number | null }>(USE_LINK, used);
      if (row === undefined) return false;
      await this.#open(queries, operatorFromRow(row), sessionHash, "link", row.made_by_key);
      return true;
    });
  }

  openByPassword(operator: StoredOperator, sessionHash: Uint8Array): Promise<boolean> {
    return this.#pool.transaction(async (queries) => {
      const [isSame] = await queries.query(
        "SELECT 1 FROM operators WHERE key = $1 AND password_hash = $2 FOR UPDATE",
        [operator.key, operator.passwordHash ?? null],
      );
      if (isSame === undefined) return false;
      await this.#open(queries, operator, sessionHash, "password");
      return true;
    });
  }

  async find(hash: Uint8Array): Promise<StoredSession | undefined> {
    const [row] = await this.#pool.query<SessionRow>(FIND, [hash]);
    if (row === undefined) return undefined;
    const session = sessionFromRow(row);
    return isSessionLive(session, this.#now()) ? session : undefined;
  }

  async touch(hash: Uint8Array): Promise<void> {
    await this.#pool.query(TOUCH, [hash, this.#now()]);
  }

  async end(hash: Uint8Array): Promise<void> {
    await this.#pool.query("DELETE FROM operator_sessions WHERE hash = $1", [hash]);
  }

  async #open(
    queries: Queries,
    operator: StoredOperator,
    hash: Uint8Array,
    by: "link" | "password",
    madeBy: number | null = null,
  ): Promise<void> {
    const now = this.#now();
    await queries.query("DELETE FROM operator_sessions WHERE seen_at <= $1 OR created_at <= $2", [
      now - SESSION_IDLE_MS,
      now - SESSION_LONGEST_MS,
    ]);
    await queries.query(
      "INSERT INTO operator_sessions (hash, operator_key, opened_by, created_at, seen_at, made_by_key) VALUES ($1, $2, $3, $4, $4, $5)",
      [hash, operator.key, by, now, madeBy],
    );
    await queries.query("UPDATE operators SET last_seen_at = $1 WHERE key = $2", [now, operator.key]);
    const change = operatorChange("operator.signed-in", operator, [{ field: "by", after: by }]);
    await this.#changes.append(queries, change);
  }
}
