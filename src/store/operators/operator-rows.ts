import { Type } from "@sinclair/typebox";

import type { Change } from "../../domain/change.ts";
import { OperatorPermission, type Role } from "../../domain/operator/access.ts";
import { isoOf } from "../changes/change-rows.ts";
import type {
  NewOperatorKeyRecord,
  OperatorRowKey,
  StoredOperator,
  StoredOperatorKey,
  StoredSession,
} from "../interface/operators.ts";
import { JsonColumn } from "../json-column.ts";

/** An operator as statements read it, whatever the engine. */
export interface OperatorRow {
  key: OperatorRowKey;
  name: string;
  role: Role;
  password_hash: string | null;
  created_at: number;
  last_seen_at: number | null;
}

/** A session with its operator as statements read it. */
export interface SessionRow extends OperatorRow {
  begun_at: number;
  opened_by: "link" | "password";
  seen_at: number;
  key_id: string | null;
  key_expires_at: number | null;
}

/** A key as statements read it. */
export interface OperatorKeyRow {
  id: string;
  label: string;
  permissions: string;
  created_by: string;
  maker_role: Role;
  created_at: number;
  expires_at: number | null;
  last_used_at: number | null;
}

const KEY_PERMISSIONS = new JsonColumn("operator_keys.permissions", Type.Array(OperatorPermission));

export function operatorFromRow(row: OperatorRow): StoredOperator {
  return {
    key: row.key,
    name: row.name,
    role: row.role,
    createdAt: row.created_at,
    ...(row.password_hash !== null && { passwordHash: row.password_hash }),
    ...(row.last_seen_at !== null && { lastSeenAt: row.last_seen_at }),
  };
}

export function sessionFromRow(row: SessionRow): StoredSession {
  return {
    operator: operatorFromRow(row),
    openedBy: row.opened_by,
    createdAt: row.begun_at,
    seenAt: row.seen_at,
    ...(row.key_id !== null && {
      madeBy: {
        id: row.key_id,
        ...(row.key_expires_at !== null && { expiresAt: row.key_expires_at }),
      },
    }),
  };
}

export function keyFromRow(row: OperatorKeyRow): StoredOperatorKey {
  return {
    id: row.id,
    label: row.label,
    permissions: KEY_PERMISSIONS.parse(row.permissions, `key ${row.id}`),
    createdBy: row.created_by,
    makerRole: row.maker_role,
    createdAt: row.created_at,
    ...(row.expires_at !== null && { expiresAt: row.expires_at }),
    ...(row.last_used_at !== null && { lastUsedAt: row.last_used_at }),
  };
}

type OperatorChange = Extract<Change["kind"], `operator.${string}`>;

/** What is told of a change of an operator. */
export function operatorChange(
  kind: OperatorChange,
  { name }: Pick<StoredOperator, "name">,
  fields: Change["fields"] = [],
): Change {
  return { kind, subject: name, bots: [], fields };
}

/** What is told of an operator who was added. */
export function additionOf({ name, role }: Pick<StoredOperator, "name" | "role">): Change {
  return operatorChange("operator.added", { name }, [{ field: "role", after: role }]);
}

/** What is told of an operator who was removed, with their keys. */
export function removalOf(operator: Pick<StoredOperator, "name" | "role">, keys: readonly string[]): Change {
  return operatorChange("operator.removed", operator, [
    { field: "role", before: operator.role },
    ...(keys.length === 0 ? [] : [{ field: "keys", removed: keys }]),
  ]);
}

/** What is told of a key that was made. */
export function keyIssueOf({ id, label, permissions, expiresAt }: NewOperatorKeyRecord): Change {
  return {
    kind: "key.issued",
    subject: id,
    bots: [],
    fields: [
      { field: "label", after: label },
      { field: "permissions", added: permissions },
      ...(expiresAt === undefined ? [] : [{ field: "expiresAt", after: isoOf(expiresAt) }]),
    ],
  };
}

/** What is told of a key that was removed, with the keys that it had made. */
export function keyRemovalOf(
  { id, label }: Pick<StoredOperatorKey, "id" | "label">,
  made: readonly string[],
): Change {
  const fields = [
    { field: "label", before: label },
    ...(made.length === 0 ? [] : [{ field: "keys", removed: made }]),
  ];
  return { kind: "key.removed", subject: id, bots: [], fields };
}
