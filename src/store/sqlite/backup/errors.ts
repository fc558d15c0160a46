import { sqliteCode } from "../failure.ts";

/** The named file cannot be used; `message` says why, and what would be right. */
export class BackupInputError extends Error {
  override name = "BackupInputError";
}

/** A backup or a restore failed for a reason of the service, and changed nothing; `message` holds the remedy. */
export class BackupError extends Error {
  override name = "BackupError";
}

/** The error for an operator when copying fails; errors that do not come from the disk stay unchanged. */
export function explainCopyFault(folder: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  if (code === "ENOSPC" || code === "EDQUOT" || sqliteCode(error) === "SQLITE_FULL") {
    return new BackupError(`the disk of ${folder} is full; nothing was changed`, { cause: error });
  }
  // SQLite's codes are longer than those of the operating system, and are explained elsewhere.
  if (!/^E[A-Z0-9]+$/.test(code)) return error;
  return new BackupError(`${(error as Error).message}; nothing was changed`, { cause: error });
}

/** The file is in its place, but the disk has not confirmed that it is durable. */
export function unconfirmed(what: string, error: unknown): BackupError {
  return new BackupError(
    `${what} is in place, but the disk did not confirm it (${(error as Error).message}); look at the disk, and do it again`,
    { cause: error },
  );
}
