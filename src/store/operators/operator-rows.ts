import { Type } from "@sinclair/typebox";

import type { Change } from "../../domain/change.ts";
import { OperatorPermission } from "../../domain/operator/access.ts";
import { isoOf } from "../changes/noted-changes.ts";
import type { NewOperatorKeyRecord, StoredOperator, StoredOperatorKey } from "../interface/operators.ts";
import { JsonColumn } from "../json-column.ts";
import { sql } from "../sql/sql.ts";

/** Columns of an operator. */
export const OPERATOR = sql`operators.key, name, role, password_hash AS "passwordHash", operators.created_at AS "createdAt",
  last_seen_at AS "lastSeenAt"`;

/** An operator key as statements read it. */
export type OperatorKeyRow = Omit<StoredOperatorKey, "permissions"> & { permissions: string };

const KEY_PERMISSIONS = new JsonColumn("operator_keys.permissions", Type.Array(OperatorPermission));

export function keyFromRow(row: OperatorKeyRow): StoredOperatorKey {
  return { ...row, permissions: KEY_PERMISSIONS.parse(row.permissions, `key ${row.id}`) };
}

type OperatorChange = Extract<Change["kind"], `operator.${string}`>;

/** A change that concerns an operator. */
export function operatorChange(
  kind: OperatorChange,
  { name }: Pick<StoredOperator, "name">,
  fields: Change["fields"] = [],
): Change {
  return { kind, subject: name, bots: [], fields };
}

/** The change for an added operator. */
export function additionOf({ name, role }: Pick<StoredOperator, "name" | "role">): Change {
  return operatorChange("operator.added", { name }, [{ field: "role", after: role }]);
}

/** The change for a removed operator, with their keys. */
export function removalOf(operator: Pick<StoredOperator, "name" | "role">, keys: readonly string[]): Change {
  return operatorChange("operator.removed", operator, [
    { field: "role", before: operator.role },
    ...(keys.length === 0 ? [] : [{ field: "keys", removed: keys }]),
  ]);
}

/** The change for a new key. */
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

/** The change for a removed key, with the keys that it had made. */
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
