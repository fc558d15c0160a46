import { type Static, Type } from "@sinclair/typebox";

import { FieldChange } from "../change.ts";
import { listOf, named, oneOf } from "../schemas.ts";

/** An embed token as it is listed. */
export const TokenRow = named("TokenRow", {
  id: Type.String(),
  bots: listOf(Type.String()),
  label: Type.Optional(Type.String()),
  createdAt: Type.Integer(),
  expiresAt: Type.Optional(Type.Integer()),
  revokedAt: Type.Optional(Type.Integer()),
  /** By this server, within some minutes; absent: not since its start, or never. */
  lastUsedAt: Type.Optional(Type.Integer()),
});
export type TokenRow = Static<typeof TokenRow>;

/** A token that was just made: shown once. */
export const NewToken = named("NewToken", {
  ...TokenRow.properties,
  token: Type.String(),
  snippet: Type.String(),
});
export type NewToken = Static<typeof NewToken>;

/** A model server as this server sees it. */
export const ModelRow = named("ModelRow", {
  name: Type.String(),
  /** Without user, password and query. */
  baseUrl: Type.String(),
  model: Type.String(),
  /** `open`: it failed so often that it is left alone for a while. */
  circuit: oneOf(["closed", "open", "half-open"]),
  /** Since the start of this server. */
  calls: Type.Integer(),
  failures: Type.Integer(),
  p50Ms: Type.Optional(Type.Number()),
  p95Ms: Type.Optional(Type.Number()),
  usedBy: listOf(Type.String({ description: "Ids of bots" })),
});
export type ModelRow = Static<typeof ModelRow>;

/** POST /api/v1/models/:name/check */
export const ModelCheck = named("ModelCheck", {
  ok: Type.Boolean(),
  message: Type.String(),
  milliseconds: Type.Number(),
});
export type ModelCheck = Static<typeof ModelCheck>;

/** A line of the audit. */
export const AuditRow = named("AuditRow", {
  at: Type.Integer(),
  by: Type.Object({ kind: Type.String(), name: Type.String(), command: Type.Optional(Type.String()) }),
  kind: Type.String(),
  subject: Type.String(),
  bots: listOf(Type.String()),
  fields: listOf(FieldChange),
  omittedFields: Type.Optional(Type.Integer()),
});
export type AuditRow = Static<typeof AuditRow>;

/** A finding of the doctor. */
export const HealthFinding = Type.Object({
  check: Type.String(),
  severity: oneOf(["fine", "hint", "mend", "broken"]),
  message: Type.String(),
  cure: Type.Optional(Type.String()),
});
export type HealthFinding = Static<typeof HealthFinding>;

export const BackupRow = Type.Object({ name: Type.String(), at: Type.Integer(), bytes: Type.Integer() });
export type BackupRow = Static<typeof BackupRow>;

/** GET /api/v1/health */
export const ServerHealth = named("ServerHealth", {
  ready: Type.Boolean(),
  version: Type.String(),
  startedAt: Type.Integer(),
  store: oneOf(["sqlite", "postgres"]),
  findings: listOf(HealthFinding),
  /** Latest first; empty for PostgreSQL, which is backed up by its own tools. */
  backups: listOf(BackupRow),
  memoryBytes: Type.Integer(),
  /** Of the database file; absent for PostgreSQL, or if the data folder is missing. */
  databaseBytes: Type.Optional(Type.Integer()),
  freeBytes: Type.Optional(Type.Integer()),
});
export type ServerHealth = Static<typeof ServerHealth>;
