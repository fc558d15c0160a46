import type { Database } from "better-sqlite3";

import type { Now } from "../../../domain/time.ts";
import {
  SESSION_IDLE_MS,
  SESSION_LONGEST_MS,
  type StoredOperator,
  type StoredSession,
  isSessionLive,
} from "../../interface/operators.ts";
import {
  type OperatorRow,
  type SessionRow,
  operatorChange,
  operatorFromRow,
  sessionFromRow,
} from "../../operators/operator-rows.ts";
import type { ChangeRecorder } from "../changes/changes.ts";

/** Sessions of operators, in SQLite. Those that have ended are deleted when another begins. */
export class SqliteOperatorSessions {
  readonly #db: Database;
  readonly #now: Now;
  readonly #changes: ChangeRecorder;

  constructor(db: Database, now: Now, changes: ChangeRecorder) {
    this.#db = db;
    this.#now = now;
    this.#changes = changes;
  }

  openByLink(linkHash: Uint8Array, sessionHash: Uint8Array): boolean {
    return this.#transact(() => {
      const link = this.#db
        .prepare<[Uint8Array, number], { operator_key: number; made_by_key: number | null }>(
          "DELETE FROM sign_in_links WHERE hash = ? AND expires_at > ? RETURNING operator_key, made_by_key",
        )
        .get(linkHash, this.#now());
      if (link === undefined) return false;
      const operator = this.#db
        .prepare<[number], OperatorRow>("SELECT * FROM operators WHERE key = ?")
        .get(link.operator_key)!;
      this.#open(operatorFromRow(operator), sessionHash, "link", link.made_by_key);
      return true;
    });
  }

  openByPassword(operator: StoredOperator, sessionHash: Uint8Array): boolean {
    return this.#transact(() => {
      const isSame = this.#db
        .prepare("SELECT 1 FROM operators WHERE key = ? AND password_hash = ?")
        .get(operator.key, operator.passwordHash);
      if (isSame === undefined) return false;
      this.#open(operator, sessionHash, "password");
      return true;
    });
  }

  find(hash: Uint8Array): StoredSession | undefined {
    const row = this.#db
      .prepare<[Uint8Array], SessionRow>(
        `SELECT operators.*, operator_sessions.created_at AS begun_at, opened_by, seen_at,
           operator_keys.id AS key_id, operator_keys.expires_at AS key_expires_at
         FROM operator_sessions JOIN operators ON operators.key = operator_sessions.operator_key
         LEFT JOIN operator_keys ON operator_keys.key = operator_sessions.made_by_key
         WHERE operator_sessions.hash = ?`,
      )
      .get(hash);
    if (row === undefined) return undefined;
    const session = sessionFromRow(row);
    return isSessionLive(session, this.#now()) ? session : undefined;
  }

  touch(hash: Uint8Array): void {
    this.#transact(() => {
      const now = this.#now();
      this.#db.prepare("UPDATE operator_sessions SET seen_at = ? WHERE hash = ?").run(now, hash);
      this.#db
        .prepare(
          "UPDATE operators SET last_seen_at = ? WHERE key = (SELECT operator_key FROM operator_sessions WHERE hash = ?)",
        )
        .run(now, hash);
    });
  }

  end(hash: Uint8Array): void {
    this.#db.prepare("DELETE FROM operator_sessions WHERE hash = ?").run(hash);
  }

  #open(
    operator: StoredOperator,
    hash: Uint8Array,
    by: "link" | "password",
    madeBy: number | null = null,
  ): void {
    const now = this.#now();
    this.#db
      .prepare("DELETE FROM operator_sessions WHERE seen_at <= ? OR created_at <= ?")
      .run(now - SESSION_IDLE_MS, now - SESSION_LONGEST_MS);
    this.#db
      .prepare(
        "INSERT INTO operator_sessions (hash, operator_key, opened_by, created_at, seen_at, made_by_key) VALUES (?, ?, ?, ?, ?, ?)",
      )
      .run(hash, operator.key, by, now, now, madeBy);
    this.#db.prepare("UPDATE operators SET last_seen_at = ? WHERE key = ?").run(now, operator.key);
    this.#changes.append(operatorChange("operator.signed-in", operator, [{ field: "by", after: by }]));
  }

  #transact<Result>(work: () => Result): Result {
    return this.#db.transaction(work).immediate();
  }
}
