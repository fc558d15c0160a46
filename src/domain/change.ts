import { type Static, Type } from "@sinclair/typebox";

import type { BotId } from "./ids.ts";
import { listOf, oneOf } from "./schemas.ts";

/** The author of a change: a user or a process. */
export const Actor = Type.Object({
  /** `user`: one of the operating system. `server`: a running server, without an operator. `operator`, `key`: by the operator API. */
  kind: oneOf(["user", "server", "operator", "key"]),
  /** Of that user, or of the one that the server runs as; of that operator; a key's label and its id. */
  name: Type.String(),
  /** As `bot delete`, or `PUT /api/v1/bots/:bot`; absent if unknown. */
  command: Type.Optional(Type.String()),
});
export type Actor = Static<typeof Actor>;

/** Kinds of changes. The meaning of a released name never changes. */
export type ChangeKind =
  | "bot.created"
  | "bot.updated"
  | "bot.enabled"
  | "bot.disabled"
  | "bot.deleted"
  /** By `seed --prune`. */
  | "bot.pruned"
  | "token.issued"
  | "token.revoked"
  /** By an operator who has closed it. */
  | "handoff.closed"
  /** By the operator who takes part in the conversation or leaves it. */
  | "handoff.taken"
  | "handoff.released"
  | "usage.tokens-reset"
  | "conversations.deleted"
  /** By their age; the sum of a day. */
  | "conversations.expired"
  /** Documents that a bot answers from were read, or removed. */
  | "knowledge.changed"
  | "clock.confirmed"
  | "database.backed-up"
  | "database.restored"
  /** By `copy` from a data folder or from PostgreSQL; recorded in the target. */
  | "database.copied"
  | "operator.added"
  | "operator.removed"
  | "operator.role-changed"
  | "operator.link-issued"
  | "operator.password-set"
  | "operator.signed-in"
  | "key.issued"
  | "key.removed"
  /** A server started with other settings, or another version, than the one before it. */
  | "server.settings";

/** Earlier and new value of one field. */
export const FieldChange = Type.Object({
  /** Where it stands, as `intents[billing].examples`. */
  field: Type.String(),
  /** Absent: there was none. */
  before: Type.Optional(Type.Unknown()),
  /** Absent: there is none any more. */
  after: Type.Optional(Type.Unknown()),
  /** Elements removed from a list. */
  removed: Type.Optional(listOf(Type.Unknown())),
  /** Elements added to a list. */
  added: Type.Optional(listOf(Type.Unknown())),
  /** The values are longer than the stored part. */
  isCut: Type.Optional(Type.Literal(true)),
});
export type FieldChange = Static<typeof FieldChange>;

/** One thing that was changed. Holds no secret, and nothing that a visitor wrote. */
export interface Change {
  kind: ChangeKind;
  /** The id of a bot, a token, a key or a conversation, a file, or the name of an operator. */
  subject: string;
  /** The bots that it concerns. */
  bots: readonly BotId[];
  fields: readonly FieldChange[];
  /** How many fields were left out, as they would take too much room. */
  omittedFields?: number;
}
