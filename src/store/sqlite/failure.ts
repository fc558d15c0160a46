import { ServiceError } from "../../domain/errors.ts";

/** `SQLITE_…` when the error came from SQLite itself. */
export function sqliteCode(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && code.startsWith("SQLITE_") ? code : undefined;
}

const DEFECT_CODES = /^SQLITE_(ERROR|CONSTRAINT|MISUSE|RANGE|MISMATCH|SCHEMA|TOOBIG)/;

/**
 * The error that a caller gets for a failure of storage: a full disk, a lock or an unreadable page is STORAGE_UNAVAILABLE. A broken
 * statement is a defect, and stays unchanged.
 */
export function storageFailure(error: unknown): unknown {
  const code = sqliteCode(error);
  if (code === undefined || DEFECT_CODES.test(code)) return error;
  return unavailable(error, {
    sqliteCode: code,
    ...(code === "SQLITE_FULL" && { reason: "no room on the disk" }),
  });
}

/** STORAGE_UNAVAILABLE for a failure of the disk. */
export function unavailable(cause: unknown, logFields?: Record<string, unknown>): ServiceError {
  return new ServiceError("STORAGE_UNAVAILABLE", "The message could not be stored; try again shortly.", {
    cause,
    headers: { "Retry-After": "5" },
    ...(logFields && { logFields }),
  });
}
