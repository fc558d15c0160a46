import type { Role } from "../../domain/operator/access.ts";
import { isoOf } from "../changes/noted-changes.ts";
import type { ForceOptions, NewLink, OperatorOutcome, StoredOperator } from "../interface/operators.ts";
import { additionOf, OPERATOR, operatorChange, removalOf } from "../operators/operator-rows.ts";
import { FOR_UPDATE, sql } from "../sql/sql.ts";
import { all, allGiven, first, firstGiven, run, type Work } from "../sql/work.ts";
import { isKeyThere, keyOf } from "./operator-keys.ts";
import { AuditedPart } from "./part.ts";

/** Operators of the API and their roles. Names are compared without regard to case; a change ends the sessions of its operator. */
export class SqlOperators extends AuditedPart {
  /** By name. */
  list(): Promise<StoredOperator[]> {
    const statement = sql`SELECT ${OPERATOR} FROM operators ORDER BY lower(name)`;
    return this.engine.read(() => allGiven<StoredOperator>(statement));
  }

  find(name: string): Promise<StoredOperator | undefined> {
    return this.engine.read(() => find(name));
  }

  /** Whether there is an operator. */
  async isAny(): Promise<boolean> {
    return (await this.engine.read(() => first(sql`SELECT key FROM operators LIMIT 1`))) !== undefined;
  }

  /** @returns false if the name is taken. */
  add({ name, role }: Pick<StoredOperator, "name" | "role">): Promise<boolean> {
    return this.engine.write(() => this.#add(name, role));
  }

  setRole(name: string, role: Role, { force = false }: ForceOptions = {}): Promise<OperatorOutcome> {
    return this.engine.write(() => this.#setRole(name, role, force));
  }

  /** Removes the operator with their sessions, link and keys. */
  remove(name: string, { force = false }: ForceOptions = {}): Promise<OperatorOutcome> {
    return this.engine.write(() => this.#remove(name, force));
  }

  /** Replaces an earlier link. @returns false if there is no such operator, or the key that makes the link is gone. */
  issueLink(name: string, link: NewLink): Promise<boolean> {
    return this.engine.write(() => this.#issueLink(name, link));
  }

  /** The operator of a link that has not expired. */
  findByLink(hash: Uint8Array): Promise<StoredOperator | undefined> {
    const statement = sql`
      SELECT ${OPERATOR} FROM sign_in_links JOIN operators ON operators.key = operator_key
      WHERE hash = ${hash} AND expires_at > ${this.now()}`;
    return this.engine.read(() => firstGiven<StoredOperator>(statement));
  }

  /** Ends all sessions, and begins a new one. @returns false if there is no such operator. */
  setPassword(name: string, passwordHash: string, sessionHash: Uint8Array): Promise<boolean> {
    return this.engine.write(() => this.#setPassword(name, passwordHash, sessionHash));
  }

  *#add(name: string, role: Role): Work<boolean> {
    const added = yield* run(sql`
      INSERT INTO operators (name, role, created_at) VALUES (${name}, ${role}, ${this.now()}) ON CONFLICT DO NOTHING`);
    if (added > 0) yield* this.changes.append(additionOf({ name, role }));
    return added > 0;
  }

  *#setRole(name: string, role: Role, isForced: boolean): Work<OperatorOutcome> {
    const owners = yield* lockOwners();
    const operator = yield* find(name);
    if (operator === undefined) return "unknown";
    if (operator.role === role) return "done";
    if (!isForced && operator.role === "owner" && owners === 1) return "last_owner";
    yield* run(sql`UPDATE operators SET role = ${role} WHERE key = ${operator.key}`);
    yield* endSessions(operator);
    const fields = [{ field: "role", before: operator.role, after: role }];
    yield* this.changes.append(operatorChange("operator.role-changed", operator, fields));
    return "done";
  }

  *#remove(name: string, isForced: boolean): Work<OperatorOutcome> {
    const owners = yield* lockOwners();
    const operator = yield* find(name);
    if (operator === undefined) return "unknown";
    if (!isForced && operator.role === "owner" && owners === 1) return "last_owner";
    const { key } = operator;
    const keys = yield* all<{ id: string }>(
      sql`SELECT id FROM operator_keys WHERE operator_key = ${key} ORDER BY key`,
    );
    yield* run(sql`DELETE FROM operators WHERE key = ${key}`);
    const ids = keys.map(({ id }) => id);
    yield* this.changes.append(removalOf(operator, ids));
    return "done";
  }

  *#issueLink(name: string, { hash, expiresAt, madeBy }: NewLink): Work<boolean> {
    const operator = yield* find(name);
    if (operator === undefined) return false;
    const issued = yield* run(sql`
      INSERT INTO sign_in_links (operator_key, hash, expires_at, made_by_key)
      SELECT ${operator.key}, ${hash}, ${expiresAt}, ${keyOf(madeBy)} WHERE ${isKeyThere(madeBy)}
      ON CONFLICT (operator_key) DO UPDATE
      SET hash = excluded.hash, expires_at = excluded.expires_at, made_by_key = excluded.made_by_key`);
    if (issued === 0) return false;
    const fields = [{ field: "expiresAt", after: isoOf(expiresAt) }];
    yield* this.changes.append(operatorChange("operator.link-issued", operator, fields));
    return true;
  }

  *#setPassword(name: string, passwordHash: string, sessionHash: Uint8Array): Work<boolean> {
    const operator = yield* find(name);
    if (operator === undefined) return false;
    const now = this.now();
    yield* run(sql`UPDATE operators SET password_hash = ${passwordHash} WHERE key = ${operator.key}`);
    yield* endSessions(operator);
    yield* run(sql`
      INSERT INTO operator_sessions (hash, operator_key, opened_by, created_at, seen_at)
      VALUES (${sessionHash}, ${operator.key}, 'password', ${now}, ${now})`);
    yield* this.changes.append(operatorChange("operator.password-set", operator));
    return true;
  }
}

function* find(name: string): Work<StoredOperator | undefined> {
  return yield* firstGiven<StoredOperator>(
    sql`SELECT ${OPERATOR} FROM operators WHERE lower(name) = lower(${name})`,
  );
}

/**
 * Locks the owners, so that changes of owners run one after the other: two at once could each remove one of the last two owners.
 *
 * @returns how many there are.
 */
function* lockOwners(): Work<number> {
  return (yield* all(sql`SELECT key FROM operators WHERE role = 'owner' ORDER BY key ${FOR_UPDATE}`)).length;
}

function* endSessions({ key }: StoredOperator): Work<void> {
  yield* run(sql`DELETE FROM operator_sessions WHERE operator_key = ${key}`);
}
