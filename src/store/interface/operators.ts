import type { OperatorPermission, Role } from "../../domain/operator/access.ts";
import type { EpochMs } from "../../domain/time.ts";

/** Integer key of an operator inside one database. */
export type OperatorRowKey = number & { readonly brand: "OperatorRowKey" };

export interface StoredOperator {
  key: OperatorRowKey;
  name: string;
  role: Role;
  /** Argon2id, as PHC string; absent: the operator signs in by links only. */
  passwordHash?: string;
  createdAt: EpochMs;
  lastSeenAt?: EpochMs;
}

/** `last_owner`: refused, because no operator would be left who may add others. */
export type OperatorOutcome = "done" | "unknown" | "last_owner";

export interface NewLink extends MadeByKey {
  hash: Uint8Array;
  expiresAt: EpochMs;
}

/** The key that made something, directly or in a session that began by the key's link: both are deleted with the key. */
export interface MadeByKey {
  /** Id of the key; absent: an operator made it. */
  madeBy?: string;
}

export interface ForceOptions {
  /** Even if this is the last owner. */
  force?: boolean;
}

/** A session with the current state of its operator. */
export interface StoredSession {
  operator: StoredOperator;
  openedBy: "link" | "password";
  createdAt: EpochMs;
  seenAt: EpochMs;
  /** The key that made the session's link: the session ends with the key. */
  madeBy?: Pick<StoredOperatorKey, "id" | "expiresAt">;
}

export interface StoredOperatorKey {
  id: string;
  label: string;
  permissions: readonly OperatorPermission[];
  /** The operator who made it: the key never has more permissions than its maker. */
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

/** Idle time after which a session ends: it lasts through a working day, but not until the next. */
export const SESSION_IDLE_MS = 12 * 3600_000;
/** Maximum duration of a session: a person who left a team without being removed is signed out within a week. */
export const SESSION_LONGEST_MS = 7 * 24 * 3600_000;
/** Minimum interval between two updates of when a session or a key was last used. */
export const SEEN_EVERY_MS = 60_000;

/** Whether a session still lasts. Pure. */
export function isSessionLive(
  { createdAt, seenAt, madeBy }: Pick<StoredSession, "createdAt" | "seenAt" | "madeBy">,
  now: EpochMs,
): boolean {
  const endsAt = Math.min(createdAt + SESSION_LONGEST_MS, madeBy?.expiresAt ?? Infinity);
  return now < seenAt + SESSION_IDLE_MS && now < endsAt;
}
