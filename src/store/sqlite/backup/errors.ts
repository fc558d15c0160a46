import { sqliteCode } from "../failure.ts";

/** The file that was named cannot be used; `message` says why, and what would be right. */
export class BackupInputError extends Error {
  override name = "BackupInputError";
}

/** A backup or a restore failed on the service's side, and changed nothing; `message` says what to do. */
export class BackupError extends Error {
  override name = "BackupError";
}

/** What an error of a copy means for an operator; one that is no fault of the disk's stays what it is. */
export function explainCopyFault(folder: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  if (code === "ENOSPC" || code === "EDQUOT" || sqliteCode(error) === "SQLITE_FULL") {
    return new BackupError(`the disk of ${folder} is full; nothing was changed`, { cause: error });
  }
  // The codes of SQLite are longer than those of the operating system, and are explained elsewhere.
  if (!/^E[A-Z0-9]+$/.test(code)) return error;
  return new BackupError(`${(error as Error).message}; nothing was changed`, { cause: error });
}

/** What was made is in its place, but the disk has not said that it will stay there. */
export function unconfirmed(what: string, error: unknown): BackupError {
  return new BackupError(
    `${what} is in place, but the disk did not confirm it (${(error as Error).message}); look at the disk, and do it again`,
    { cause: error },
  );
}
