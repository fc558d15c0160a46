import type { OperatorPermission, Role } from "../../domain/operator/access.ts";
import type { EpochMs } from "../../domain/time.ts";

/** Integer key of an operator inside one database. */
export type OperatorRowKey = number & { readonly brand: "OperatorRowKey" };

export interface StoredOperator {
  key: OperatorRowKey;
  name: string;
  role: Role;
  /** Argon2id, as PHC string; absent: signs in by links alone. */
  passwordHash?: string;
  createdAt: EpochMs;
  lastSeenAt?: EpochMs;
}

/** `last_owner`: nothing was changed, as nobody would be left who may add operators. */
export type OperatorOutcome = "done" | "unknown" | "last_owner";

/** Who may do what by the operator API. Names are compared without regard to case; a change ends the sessions of whom it concerns. */
export interface Operators {
  /** By name. */
  list(): Promise<StoredOperator[]>;
  find(name: string): Promise<StoredOperator | undefined>;
  /** Whether there is any. */
  isAny(): Promise<boolean>;
  /** @returns false when there is one of this name. */
  add(operator: Pick<StoredOperator, "name" | "role">): Promise<boolean>;
  setRole(name: string, role: Role, options?: ForceOptions): Promise<OperatorOutcome>;
  /** Removes the operator's sessions, link and keys, too. */
  remove(name: string, options?: ForceOptions): Promise<OperatorOutcome>;
  /** The link takes the place of an earlier one. @returns false when there is no such operator, or the key that makes it is gone. */
  issueLink(name: string, link: NewLink): Promise<boolean>;
  /** Whose link this is, unless it has expired. */
  findByLink(hash: Uint8Array): Promise<StoredOperator | undefined>;
  /** Ends all sessions, and begins another. @returns false when there is no such operator. */
  setPassword(name: string, passwordHash: string, sessionHash: Uint8Array): Promise<boolean>;
}

export interface NewLink extends MadeByKey {
  hash: Uint8Array;
  expiresAt: EpochMs;
}

/** What goes with a key, as it was made by it, or in a session that came of its link. */
export interface MadeByKey {
  /** The id of the key; absent: an operator made it. */
  madeBy?: string;
}

export interface ForceOptions {
  /** Also where it is the last owner. */
  force?: boolean;
}

/** A session with its operator as they are now. */
export interface StoredSession {
  operator: StoredOperator;
  openedBy: "link" | "password";
  createdAt: EpochMs;
  seenAt: EpochMs;
  /** The key that made the link: the session ends with it. */
  madeBy?: Pick<StoredOperatorKey, "id" | "expiresAt">;
}

/** Sessions, by the hash of their id. */
export interface OperatorSessions {
  /** Uses up a link, and begins a session. @returns false when the link is used, or has expired. */
  openByLink(linkHash: Uint8Array, sessionHash: Uint8Array): Promise<boolean>;
  /** @returns false when the operator is gone, or has another password meanwhile. */
  openByPassword(operator: StoredOperator, sessionHash: Uint8Array): Promise<boolean>;
  /** Undefined where it has ended. */
  find(hash: Uint8Array): Promise<StoredSession | undefined>;
  /** Notes that the operator was here. */
  touch(hash: Uint8Array): Promise<void>;
  end(hash: Uint8Array): Promise<void>;
}

export interface StoredOperatorKey {
  id: string;
  label: string;
  permissions: readonly OperatorPermission[];
  /** Who made it: what they may not do, it may not do either. */
  createdBy: string;
  makerRole: Role;
  createdAt: EpochMs;
  expiresAt?: EpochMs;
  lastUsedAt?: EpochMs;
}

export interface NewOperatorKeyRecord
  extends MadeByKey, Pick<StoredOperatorKey, "id" | "label" | "permissions" | "createdBy" | "expiresAt"> {
  /** SHA-256 of the key; the key itself is never stored. */
  hash: Uint8Array;
}

/** Keys for scripts, by hash. */
export interface OperatorKeys {
  /** Oldest first, expired ones included. */
  list(): Promise<StoredOperatorKey[]>;
  find(hash: Uint8Array): Promise<StoredOperatorKey | undefined>;
  /** @returns false when its maker is gone, or the key that makes it. */
  add(key: NewOperatorKeyRecord): Promise<boolean>;
  /** Removes the key with all that it made. @returns false when no key has this id. */
  remove(id: string): Promise<boolean>;
  /** Notes that it was used. */
  touch(id: string): Promise<void>;
}

/** A session ends when its operator was away for so long: a night, but no working day. */
export const SESSION_IDLE_MS = 12 * 3600_000;
/** A session ends at last after so long: who has left a team without being removed is out within a week. */
export const SESSION_LONGEST_MS = 7 * 24 * 3600_000;
/** What was last seen or used is noted as often, at most. */
export const SEEN_EVERY_MS = 60_000;

/** Whether a session still lasts. Pure. */
export function isSessionLive(
  { createdAt, seenAt, madeBy }: Pick<StoredSession, "createdAt" | "seenAt" | "madeBy">,
  now: EpochMs,
): boolean {
  const endsAt = Math.min(createdAt + SESSION_LONGEST_MS, madeBy?.expiresAt ?? Infinity);
  return now < seenAt + SESSION_IDLE_MS && now < endsAt;
}
