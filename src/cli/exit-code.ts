import { CommanderError } from "@commander-js/extra-typings";

import { ConfigError } from "../config/config.ts";
import { ServiceError } from "../domain/errors.ts";
import { ListenError } from "../http/listen-error.ts";
import { CopyError } from "../store/copy/errors.ts";
import { BackupError, BackupInputError } from "../store/sqlite/backup/errors.ts";
import { sqliteCode } from "../store/sqlite/failure.ts";
import { UnusableDatabaseError } from "../store/unusable-database.ts";

/** Exit codes. */
export const EXIT = { done: 0, inputAtFault: 1, usage: 2, serviceFailed: 3 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The operator's input cannot be used: a bot file, an id, an origin. Exit code 1. */
export class InputError extends Error {
  override name = "InputError";
}

/** The command line is invalid. Exit code 2. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** The check failed; its findings have been printed. Exit code 3. */
export class CheckFailedError extends Error {
  override name = "CheckFailedError";
}

export interface Failure {
  exitCode: ExitCode;
  /** Undefined if it has been printed already. */
  message?: string;
}

/** The message for an error that ended a command. */
export function explainFailure(error: unknown): Failure {
  if (error instanceof CommanderError) {
    return { exitCode: error.exitCode === 0 ? EXIT.done : EXIT.usage };
  }
  if (!(error instanceof Error) || isReaderGone(error)) return explainDefect(error);
  if (error instanceof InputError || error instanceof BackupInputError) {
    return { exitCode: EXIT.inputAtFault, message: error.message };
  }
  if (error instanceof UsageError || error instanceof ConfigError) {
    return { exitCode: EXIT.usage, message: error.message };
  }
  return { exitCode: EXIT.serviceFailed, message: explainServiceFailure(error) };
}

/** The message for an uncaught error of any type. */
export function explainDefect(error: unknown): Failure {
  if (isReaderGone(error)) return { exitCode: EXIT.done };
  return { exitCode: EXIT.serviceFailed, message: describeDefect(error) };
}

/** The reader of stdout has closed it, for example `head`. */
function isReaderGone(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EPIPE";
}

function describeDefect(error: unknown): string {
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `this is a defect in Parley, please report it:\n${what}`;
}

/** Errors whose messages are written for operators and shown without a stack. */
const OPERATOR_ERRORS = [
  UnusableDatabaseError,
  ListenError,
  ServiceError,
  CheckFailedError,
  BackupError,
  CopyError,
];

function explainServiceFailure(error: Error): string {
  if (OPERATOR_ERRORS.some((kind) => error instanceof kind)) return error.message;
  if (sqliteCode(error)?.startsWith("SQLITE_BUSY")) {
    return "another process is writing to the database; try again in a moment";
  }
  if (sqliteCode(error)?.startsWith("SQLITE_CORRUPT")) {
    return "the database is damaged; keep a copy of the data folder, check the disk, and restore the latest intact backup";
  }
  if (sqliteCode(error)?.startsWith("SQLITE_READONLY")) {
    return "this user cannot write to the database; `parley doctor` with the same --data gives the cause and remedy";
  }
  if (sqliteCode(error) !== undefined) return `the database failed: ${error.message}`;
  return describeDefect(error);
}
