import { dirname } from "node:path";

import type { Database } from "better-sqlite3";

import { ServiceError } from "../../domain/errors.ts";
import type { StorageFailure } from "../interface/health.ts";
import { LatestWrite } from "../latest-write.ts";
import { sqliteCode, storageFailure, unavailable } from "./failure.ts";
import type { FileChange, OpenFiles } from "./file-identity.ts";

interface HealthParts {
  db: Database;
  /** Undefined if the store is in memory. */
  files: OpenFiles | undefined;
  /** Called once. */
  onFailure?: (failure: StorageFailure) => void;
}

const RETRY_AFTER_SECONDS = "60";

/** Errors of writing to disk, in any statement. */
const FAILED_WRITE = /^SQLITE_IOERR_(FSYNC|DIR_FSYNC|WRITE|TRUNCATE)$/;
/** I/O errors, except those of locks and shared memory: these endanger no written data, and a full disk (SHMSIZE) is temporary. */
const FAILED_TRANSACTION = /^SQLITE_IOERR(?!_(?:SHM\w+|LOCK|UNLOCK|RDLOCK|CHECKRESERVEDLOCK|BLOCKED|NOMEM)$)/;

/**
 * Whether writes can be trusted to be durable. The first failure is permanent: from then on the connection writes nothing, and nothing is
 * acknowledged, until an operator has looked and the server is restarted.
 */
export class StorageHealth {
  readonly #parts: HealthParts;
  readonly #latestWrite = new LatestWrite();
  #failure: StorageFailure | undefined;

  constructor(parts: HealthParts) {
    this.#parts = parts;
  }

  /** Undefined while storage works. */
  get failure(): StorageFailure | undefined {
    return this.#failure;
  }

  /** @throws ServiceError STORAGE_UNAVAILABLE once storage has failed. */
  assertSound(): void {
    if (!this.#failure) return;
    const message = "The service cannot store messages until its operator has looked at it.";
    throw new ServiceError("STORAGE_UNAVAILABLE", message, {
      headers: { "Retry-After": RETRY_AFTER_SECONDS },
      logFields: { storage: this.#failure.kind },
    });
  }

  /** @throws ServiceError STORAGE_UNAVAILABLE once storage has failed, or while the latest write failed. */
  assertWriting(): void {
    this.assertSound();
    this.#latestWrite.assertSucceeded();
  }

  /** Notes the result of a write. */
  noticeOutcome(error?: unknown): void {
    this.#latestWrite.note(error);
  }

  /** To be called before a group is written. @throws ServiceError STORAGE_UNAVAILABLE */
  checkBeforeCommit(): void {
    this.assertSound();
    this.#check((files) => files.findChangeOfLog());
  }

  /**
   * To be called when a group is on disk, before its callers get the result: the files at the paths then hold the group.
   *
   * @throws ServiceError STORAGE_UNAVAILABLE
   */
  checkAfterCommit(): void {
    this.#check((files) => files.findChange());
  }

  /** Checks the files while no group is written. If a check is impossible now, the next group fails, and reports it. */
  checkFiles(): void {
    if (this.#failure) return;
    try {
      this.checkAfterCommit();
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
    }
  }

  /** Runs a call on the connection, and notes its failure. */
  readonly noticing = <Result>(call: () => Result): Result => {
    try {
      return call();
    } catch (error) {
      this.noticeFailure(error);
      throw error;
    }
  };

  /** The same, with the error that callers of the store get. @throws ServiceError STORAGE_UNAVAILABLE */
  readonly guarding = <Result>(call: () => Result): Result => {
    try {
      return this.noticing(call);
    } catch (error) {
      throw storageFailure(error);
    }
  };

  /** Reads while storage can be trusted. @throws ServiceError STORAGE_UNAVAILABLE, also once storage has failed. */
  readonly reading = <Result>(call: () => Result): Result => {
    this.assertSound();
    return this.guarding(call);
  };

  /**
   * Notes an error of any statement: damage and failed writes are failures of storage. After a failed fsync the kernel may have dropped
   * written data and would report success for the next one, so no later success counts.
   */
  noticeFailure(error: unknown, unreliable = FAILED_WRITE): void {
    const code = sqliteCode(error) ?? "";
    if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) this.failAsDamaged(`SQLite says ${code}`, error);
    if (!unreliable.test(code)) return;
    const message = `the disk failed to write (${code}), so that what was written last may be lost. ${STOPPED} Look at the kernel's log and at the disk, stop this server, mend or move the data folder, and start it again; it reads what is really on disk.`;
    this.#fail({ kind: "unreliable", message, cause: error });
  }

  /** The same for a writing transaction: every I/O error counts, also one of reading. */
  noticeFailureOfWrite(error: unknown): void {
    this.noticeFailure(error, FAILED_TRANSACTION);
  }

  /** Records damage. `finding` says what showed it, without a full stop at its end. */
  failAsDamaged(finding: string, cause?: unknown): void {
    const message = `the database is damaged: ${finding}. ${STOPPED} Stop this server, keep a copy of the data folder, look at the disk, and restore the latest sound backup.`;
    this.#fail({ kind: "damaged", message, cause });
  }

  #check(find: (files: OpenFiles) => FileChange | undefined): void {
    const { files } = this.#parts;
    if (!files) return;
    try {
      const change = find(files);
      if (change) this.#failAsMoved(files, change);
    } catch (error) {
      throw unknownState(error);
    }
    this.assertSound();
  }

  #failAsMoved(files: OpenFiles, change: FileChange): void {
    const isSaved = change.kind !== "cut" && trySaving(files);
    const rest = isSaved ? "What was acknowledged before is in the file that was open." : "";
    const message = [whatHappened(change), STOPPED, rest, howToGoOn(change)].filter(Boolean).join(" ");
    this.#fail({ kind: "moved", message });
  }

  #fail(failure: StorageFailure): void {
    if (this.#failure) return;
    this.#failure = failure;
    // First, because an operator must be notified even if the connection still works.
    this.#parts.onFailure?.(failure);
    this.#parts.db.pragma("query_only = ON");
  }
}

const STOPPED = "Nothing is acknowledged any more.";

function whatHappened({ role, kind, path }: FileChange): string {
  if (kind === "replaced")
    return `another file has taken the place of ${path} while this server had it open.`;
  if (kind === "cut") return `${path} was cut short while this server had it open.`;
  if (role !== "database") return `${path} was deleted while this server had it open.`;
  return `${path} is gone: it was deleted, or moved with its folder, while this server had it open.`;
}

function howToGoOn({ role, kind, path }: FileChange): string {
  const again = "and start it again.";
  if (kind === "cut") return `Stop this server, restore the latest sound backup, ${again}`;
  if (role !== "database")
    return `Stop this server, make sure that nothing removes files from ${dirname(path)}, ${again}`;
  const copy = `While this server runs, the file that it has open can still be copied from /proc/${process.pid}/fd.`;
  if (kind === "gone") return `${copy} Stop this server, put the file back or restore a backup, ${again}`;
  return `${copy} Stop this server, see that ${path} is the file that you want, ${again}`;
}

/** A failed save adds nothing to the report of the change itself, so the message leaves the sentence out. */
function trySaving(files: OpenFiles): boolean {
  try {
    return files.saveLog();
  } catch (error) {
    if (sqliteCode(error) === undefined) throw error;
    return false;
  }
}

/** A path could not be checked, or the log's index not be read: this says nothing about the files, and may be temporary. */
function unknownState(error: unknown): unknown {
  return error instanceof Error && "syscall" in error ? unavailable(error) : storageFailure(error);
}
