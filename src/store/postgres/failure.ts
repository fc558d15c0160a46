import { SQL } from "bun";

import { ServiceError } from "../../domain/errors.ts";

/** A statement took longer than it may; its connection is used no more, and nobody knows what became of it. */
export class DeadlineError extends Error {
  override name = "DeadlineError";
}

/** PostgreSQL is known to be away: nothing was sent to it. */
export class UnsentError extends Error {
  override name = "UnsentError";

  constructor(cause: unknown) {
    super(`PostgreSQL is away: ${(cause as Error).message}`, { cause });
  }
}

/** PostgreSQL's own code of an error (SQLSTATE); undefined where the server did not answer. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof SQL.PostgresError ? error.errno : undefined;
}

/** The unique index, or the reference, that a row would have broken. */
export function brokenConstraint(error: unknown): string | undefined {
  return sqlState(error)?.startsWith("23") ? (error as SQL.PostgresError).constraint : undefined;
}

/** The server goes down, comes up, has no connection left, or is a standby; a later attempt may meet another. */
const UNREACHABLE = /^(08|57P0[1-5]|53300|25006)/;

/** No answer came: the connection was lost, or none could be had. What was sent may have been done. */
export function isLost(error: unknown): boolean {
  if (error instanceof DeadlineError) return true;
  if (!(error instanceof SQL.PostgresError)) return false;
  const state = error.errno;
  return state === undefined ? /CONNECTION|TIMEOUT|CLOSED/.test(error.code) : UNREACHABLE.test(state);
}

/** Whether a server that did not answer is away for everybody: one whose connections are all taken answers on those. */
export function isAway(error: unknown): boolean {
  return isLost(error) && sqlState(error) !== "53300";
}

/** Another transaction was in the way, and nothing was done: the same may succeed at once. */
export function isConflict(error: unknown): boolean {
  return ["40001", "40P01"].includes(sqlState(error) ?? "");
}

/** Constraints that others break by what they do at the same time, by PostgreSQL's own names for them. */
export const CONSTRAINTS = {
  keyTaken: "idempotency_records_pkey",
  instanceGone: "turns_in_flight_instance_id_fkey",
  /** A turn, a key, a bot or a conversation came, or went. */
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
/** Of what another transaction was in the way of: each attempt waits for that one, and sees what it did. */
export const MOST_RACES = 20;

/** Another server was faster with a key, or with a place in a conversation: the same may be stored in the light of that. */
export function isRace(error: unknown): boolean {
  return CONSTRAINTS.raced.includes(brokenConstraint(error) ?? "");
}

/** Of the server, not of the statement: no room on its disk, no memory, an I/O error, an operator who ended the statement. */
const SERVER_AT_FAULT = /^(53|57|58|55P03|XX|28|3D)/;

/** The driver could not connect, or not as it was asked to: an error of its own, or of TLS, which has a code as well. */
function isOfConnecting(error: unknown): boolean {
  if (error instanceof SQL.PostgresError) return error.errno === undefined;
  return error instanceof Error && !(error instanceof TypeError) && "code" in error;
}

/** What a caller learns of a failure of PostgreSQL: STORAGE_UNAVAILABLE; a broken statement is a defect, and stays what it is. */
export function postgresFailure(error: unknown): unknown {
  const state = sqlState(error);
  const isOfServer =
    isLost(error) || isConflict(error) || (state !== undefined && SERVER_AT_FAULT.test(state));
  return isOfServer || isOfConnecting(error) ? unavailable(error) : error;
}

/** The refusal that comes of a failure of PostgreSQL. */
export function unavailable(error: unknown): ServiceError {
  const state = sqlState(error);
  return new ServiceError("STORAGE_UNAVAILABLE", "The message could not be stored; try again shortly.", {
    cause: error,
    headers: { "Retry-After": "5" },
    logFields: { ...(state !== undefined && { sqlState: state }), reason: (error as Error).message },
  });
}
