import { type Static, Type } from "@sinclair/typebox";

import { listOf, named, oneOf } from "../schemas.ts";

/** Roles of operators. A viewer reads; an editor also changes bots and answers hand-offs; an owner may do everything. */
export const ROLES = ["viewer", "editor", "owner"] as const;
export const Role = oneOf(ROLES, { description: "viewer, editor or owner" });
export type Role = Static<typeof Role>;

/** Permissions that routes of the operator API require, and to which a key may be limited. */
export const PERMISSIONS = [
  "read",
  "bots.write",
  "handoffs.answer",
  "models.check",
  "bots.delete",
  "conversations.export",
  "conversations.delete",
  "tokens.write",
  "backups.write",
  "operators.write",
] as const;
export const OperatorPermission = oneOf(PERMISSIONS);
export type OperatorPermission = Static<typeof OperatorPermission>;

const EDITOR: readonly OperatorPermission[] = ["read", "bots.write", "handoffs.answer", "models.check"];

/** Permissions of each role. */
export const PERMISSIONS_OF: Readonly<Record<Role, readonly OperatorPermission[]>> = {
  viewer: ["read"],
  editor: EDITOR,
  owner: PERMISSIONS,
};

/** 1 to 64 letters, digits and `.`, `_`, `@`, `+`, `-`: a name or an e-mail address. */
export const OPERATOR_NAME_PATTERN = "^[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}$";
export const OperatorName = Type.String({
  pattern: OPERATOR_NAME_PATTERN,
  description: "A name or an e-mail address",
});

/** Minimum length of a password. NIST SP 800-63B asks for 15 characters if it is the only factor, and for 8 otherwise. */
export const MIN_PASSWORD_LENGTH = 12;
export const Password = Type.String({ minLength: MIN_PASSWORD_LENGTH, maxLength: 1000 });

/** An operator as others see them. Instants are milliseconds since 1970. */
export const Operator = named("Operator", {
  name: OperatorName,
  role: Role,
  createdAt: Type.Integer(),
  /** Absent: never signed in. */
  lastSeenAt: Type.Optional(Type.Integer()),
  hasPassword: Type.Boolean(),
});
export type Operator = Static<typeof Operator>;

/** A one-time link: valid once, and for 15 minutes. */
export const SignInLink = named("SignInLink", {
  url: Type.String({ description: "The secret is in the fragment" }),
  expiresAt: Type.Integer(),
});
export type SignInLink = Static<typeof SignInLink>;

/** The caller, identified by a session or a key. */
export const Session = named("Session", {
  operator: Type.Object({ name: Type.String(), role: Role }),
  permissions: listOf(OperatorPermission),
  /** False right after a link was used by an operator without a password: the console asks for one. */
  hasPassword: Type.Boolean(),
  isByKey: Type.Optional(
    Type.Literal(true, {
      description: "A key made the link: the session ends with the key and cannot set a password",
    }),
  ),
  version: Type.String({ description: "Of the server" }),
  /** Where the widget's files and its API are, for previews and snippets. */
  publicUrl: Type.String(),
});
export type Session = Static<typeof Session>;

/** An API key as it is listed; the key itself is shown once. */
export const OperatorKey = named("OperatorKey", {
  id: Type.String(),
  label: Type.String(),
  permissions: listOf(OperatorPermission),
  createdBy: Type.String(),
  createdAt: Type.Integer(),
  expiresAt: Type.Optional(Type.Integer()),
  lastUsedAt: Type.Optional(Type.Integer()),
});
export type OperatorKey = Static<typeof OperatorKey>;
