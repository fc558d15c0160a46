import { SQL } from "bun";

import { ServiceError } from "../../domain/errors.ts";

/** A statement exceeded its deadline. Its connection is closed, and its effect is unknown. */
export class DeadlineError extends Error {
  override name = "DeadlineError";
}

/** PostgreSQL is known to be unreachable: nothing was sent to it. */
export class UnsentError extends Error {
  override name = "UnsentError";

  constructor(cause: unknown) {
    super(`PostgreSQL is away: ${(cause as Error).message}`, { cause });
  }
}

/** PostgreSQL's own code of an error (SQLSTATE); undefined if the server did not answer. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof SQL.PostgresError ? error.errno : undefined;
}

/** Name of the unique index or the foreign key that a row violated. */
export function brokenConstraint(error: unknown): string | undefined {
  return sqlState(error)?.startsWith("23") ? (error as SQL.PostgresError).constraint : undefined;
}

/** The server shuts down, starts up, has no free connection, or is a standby; a later attempt may reach another server. */
const UNREACHABLE = /^(08|57P0[1-5]|53300|25006)/;

/** No answer came: the connection was lost, or could not be opened. A statement that was sent may have taken effect. */
export function isLost(error: unknown): boolean {
  if (error instanceof DeadlineError) return true;
  if (!(error instanceof SQL.PostgresError)) return false;
  const state = error.errno;
  return state === undefined ? /CONNECTION|TIMEOUT|CLOSED/.test(error.code) : UNREACHABLE.test(state);
}

/** Whether a server that did not answer is unreachable for everybody. A server without a free connection still answers on the others. */
export function isAway(error: unknown): boolean {
  return isLost(error) && sqlState(error) !== "53300";
}

/** A conflict with another transaction; nothing was changed, and a retry may succeed at once. */
export function isConflict(error: unknown): boolean {
  return ["40001", "40P01"].includes(sqlState(error) ?? "");
}

/** Constraints that concurrent transactions violate, by their names in PostgreSQL. */
export const CONSTRAINTS = {
  keyTaken: "idempotency_records_pkey",
  instanceGone: "turns_in_flight_instance_id_fkey",
  /** A turn, a key, a bot or a conversation was inserted or deleted concurrently. */
  raced: [
    "turns_pkey",
    "turns_conversation_id_fkey",
    "turns_conversation_id_number_key",
    "conversations_bot_key_fkey",
    "monthly_usage_bot_key_fkey",
    "idempotency_records_pkey",
    "idempotency_records_embed_token_key_fkey",
    "idempotency_records_request_id_fkey",
  ],
};
/** Attempts after conflicts. Each waits for the other transaction, and then sees its result. Chosen by hand. */
export const MAX_RACES = 20;

/** Another server inserted the same key, or the same place in a conversation, first: a retry sees its row. */
export function isRace(error: unknown): boolean {
  return CONSTRAINTS.raced.includes(brokenConstraint(error) ?? "");
}

/** Faults of the server, not of the statement: a full disk, no memory, an I/O error, a statement that an operator cancelled. */
const SERVER_AT_FAULT = /^(53|57|58|55P03|XX|28|3D)/;

/** The driver could not connect, or not with the given options: a driver error, or an error of TLS, which has a code as well. */
function isOfConnecting(error: unknown): boolean {
  if (error instanceof SQL.PostgresError) return error.errno === undefined;
  return error instanceof Error && !(error instanceof TypeError) && "code" in error;
}

/** The error that a caller gets for a failure of PostgreSQL: STORAGE_UNAVAILABLE. A broken statement is a defect, and stays unchanged. */
export function postgresFailure(error: unknown): unknown {
  const state = sqlState(error);
  const isOfServer =
    isLost(error) || isConflict(error) || (state !== undefined && SERVER_AT_FAULT.test(state));
  return isOfServer || isOfConnecting(error) ? unavailable(error) : error;
}

/** STORAGE_UNAVAILABLE for a failure of PostgreSQL. */
export function unavailable(error: unknown): ServiceError {
  const state = sqlState(error);
  return new ServiceError("STORAGE_UNAVAILABLE", "The message could not be stored; try again shortly.", {
    cause: error,
    headers: { "Retry-After": "5" },
    logFields: { ...(state !== undefined && { sqlState: state }), reason: (error as Error).message },
  });
}
