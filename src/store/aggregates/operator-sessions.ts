import type { EpochMs } from "../../domain/time.ts";
import {
  isSessionLive,
  SESSION_IDLE_MS,
  SESSION_LONGEST_MS,
  type StoredOperator,
  type StoredSession,
} from "../interface/operators.ts";
import { OPERATOR, operatorChange } from "../operators/operator-rows.ts";
import { FOR_UPDATE, sql } from "../sql/sql.ts";
import { first, firstGiven, run, type Work } from "../sql/work.ts";
import { AuditedPart } from "./part.ts";

/** How a session begins. */
interface Opening {
  by: "link" | "password";
  /** The key that made the link. */
  madeByKey?: number | null;
}

/** A session with its operator as statements read it. */
interface SessionRow extends StoredOperator, Pick<StoredSession, "openedBy" | "seenAt"> {
  begunAt: EpochMs;
  keyId?: string;
  keyExpiresAt?: EpochMs;
}

/** Sessions of operators, by the hash of their id. The beginning of a session deletes those that have ended. */
export class SqlOperatorSessions extends AuditedPart {
  /** Consumes a link, and begins a session. @returns false if the link is used, or has expired. */
  openByLink(linkHash: Uint8Array, sessionHash: Uint8Array): Promise<boolean> {
    return this.engine.write(() => this.#openByLink(linkHash, sessionHash));
  }

  /** @returns false if the operator is gone, or has changed the password since. */
  openByPassword(operator: StoredOperator, sessionHash: Uint8Array): Promise<boolean> {
    return this.engine.write(() => this.#openByPassword(operator, sessionHash));
  }

  /** Undefined if it has ended. */
  async find(hash: Uint8Array): Promise<StoredSession | undefined> {
    const statement = sql`
      SELECT ${OPERATOR}, operator_sessions.created_at AS "begunAt", opened_by AS "openedBy", seen_at AS "seenAt",
        operator_keys.id AS "keyId", operator_keys.expires_at AS "keyExpiresAt"
      FROM operator_sessions JOIN operators ON operators.key = operator_sessions.operator_key
      LEFT JOIN operator_keys ON operator_keys.key = operator_sessions.made_by_key
      WHERE operator_sessions.hash = ${hash}`;
    const row = await this.engine.read(() => firstGiven<SessionRow>(statement));
    const session = row && sessionFromRow(row);
    return session && isSessionLive(session, this.now()) ? session : undefined;
  }

  /** Updates when the operator was last seen. */
  touch(hash: Uint8Array): Promise<void> {
    return this.engine.write(() => this.#touch(hash));
  }

  async end(hash: Uint8Array): Promise<void> {
    await this.engine.write(() => run(sql`DELETE FROM operator_sessions WHERE hash = ${hash}`));
  }

  *#openByLink(linkHash: Uint8Array, sessionHash: Uint8Array): Work<boolean> {
    const link = yield* first<{ operator_key: number; made_by_key: number | null }>(sql`
      DELETE FROM sign_in_links WHERE hash = ${linkHash} AND expires_at > ${this.now()}
      RETURNING operator_key, made_by_key`);
    if (link === undefined) return false;
    const { operator_key: key, made_by_key: madeByKey } = link;
    const operator = yield* firstGiven<StoredOperator>(
      sql`SELECT ${OPERATOR} FROM operators WHERE key = ${key}`,
    );
    yield* this.#open(operator!, sessionHash, { by: "link", madeByKey });
    return true;
  }

  *#openByPassword(operator: StoredOperator, sessionHash: Uint8Array): Work<boolean> {
    const isSame = yield* first(sql`
      SELECT key FROM operators WHERE key = ${operator.key} AND password_hash = ${operator.passwordHash} ${FOR_UPDATE}`);
    if (isSame === undefined) return false;
    yield* this.#open(operator, sessionHash, { by: "password" });
    return true;
  }

  *#open(operator: StoredOperator, hash: Uint8Array, { by, madeByKey }: Opening): Work<void> {
    const now = this.now();
    yield* run(sql`
      DELETE FROM operator_sessions
      WHERE seen_at <= ${now - SESSION_IDLE_MS} OR created_at <= ${now - SESSION_LONGEST_MS}`);
    yield* run(sql`
      INSERT INTO operator_sessions (hash, operator_key, opened_by, created_at, seen_at, made_by_key)
      VALUES (${hash}, ${operator.key}, ${by}, ${now}, ${now}, ${madeByKey})`);
    yield* run(sql`UPDATE operators SET last_seen_at = ${now} WHERE key = ${operator.key}`);
    yield* this.changes.append(operatorChange("operator.signed-in", operator, [{ field: "by", after: by }]));
  }

  *#touch(hash: Uint8Array): Work<void> {
    const now = this.now();
    yield* run(sql`UPDATE operator_sessions SET seen_at = ${now} WHERE hash = ${hash}`);
    yield* run(sql`
      UPDATE operators SET last_seen_at = ${now}
      WHERE key = (SELECT operator_key FROM operator_sessions WHERE hash = ${hash})`);
  }
}

function sessionFromRow(row: SessionRow): StoredSession {
  const { begunAt: createdAt, openedBy, seenAt, keyId: id, keyExpiresAt: expiresAt, ...operator } = row;
  return {
    operator,
    openedBy,
    createdAt,
    seenAt,
    ...(id !== undefined && { madeBy: { id, ...(expiresAt !== undefined && { expiresAt }) } }),
  };
}
