import { type BigIntStats, statSync } from "node:fs";
import { resolve } from "node:path";

import type { Database } from "better-sqlite3";

/** The database, its write-ahead log, and the log's index, which processes share. */
type FileRole = "database" | "log" | "index";

/** A change of a file that this process has open: nothing is at its path, another file is, or its end is cut off. */
export interface FileChange {
  role: FileRole;
  kind: "gone" | "replaced" | "cut";
  path: string;
}

interface OpenFile {
  role: FileRole;
  path: string;
  dev: bigint;
  ino: bigint;
  /** Size in bytes, when it was last checked. */
  size: bigint;
}

/** Sizes of the write-ahead log's header, and of the header of each page in it (SQLite's file format, section 4). */
const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

const SUFFIXES: readonly [FileRole, suffix: string][] = [
  ["database", ""],
  ["log", "-wal"],
  ["index", "-shm"],
];

/**
 * Whether a connection's open files are those at their paths. SQLite checks this only with a rollback journal; with a write-ahead log it
 * would continue to write to a deleted file. The files are checked by path and never opened: closing one would release the locks that SQLite
 * holds on it in this process.
 */
export class OpenFiles {
  readonly #db: Database;
  readonly #files: readonly OpenFile[];
  readonly #log: OpenFile | undefined;
  readonly #pageSize: number;

  /** To be called when `db` has just opened `file`, and has read from it. */
  constructor(db: Database, file: string) {
    this.#db = db;
    this.#pageSize = Number(db.pragma("page_size", { simple: true }));
    this.#files = SUFFIXES.flatMap(([role, suffix]) => {
      const path = resolve(file) + suffix;
      const found = look(path);
      return found ? [{ role, path, dev: found.dev, ino: found.ino, size: found.size }] : [];
    });
    this.#log = this.#files.find(({ role }) => role === "log");
  }

  /**
   * The first change, if there is one. Costs one `stat` for each file.
   *
   * @throws Error if a path cannot be checked, which says nothing about the file.
   */
  findChange(): FileChange | undefined {
    for (const file of this.#files) {
      const change = this.#changeOf(file);
      if (change) return change;
    }
    return undefined;
  }

  /** As `findChange`, for the write-ahead log only: a commit would hide that its beginning was cut off. */
  findChangeOfLog(): FileChange | undefined {
    const change = this.#log && this.#changeOf(this.#log);
    // If the folder was moved, the log is not the file to report.
    return change && (this.findChange() ?? change);
  }

  /**
   * Writes the log's contents into the open database file, wherever that file is now, and empties the log. If a database was replaced, SQLite
   * would otherwise apply the old log to the new database.
   *
   * @returns false if that could not be done completely, or another process may already use files that we do not have.
   */
  saveLog(): boolean {
    const isOurs = this.#files.every((file) => {
      const found = file.role !== "database" && look(file.path);
      return !found || isSame(file, found);
    });
    if (!isOurs || this.#db.inTransaction) return false;
    const { log, checkpointed } = this.#checkpoint("TRUNCATE");
    return log === checkpointed;
  }

  #changeOf(file: OpenFile): FileChange | undefined {
    const { role, path } = file;
    const found = look(path);
    if (!found) return { role, kind: "gone", path };
    if (!isSame(file, found)) return { role, kind: "replaced", path };
    const isCut = found.size < file.size && this.#isCut(role, path);
    file.size = found.size;
    return isCut ? { role, kind: "cut", path } : undefined;
  }

  /** Files also shrink legitimately: another process has emptied a log, or vacuumed a database. So size and minimum are compared twice. */
  #isCut(role: FileRole, path: string): boolean {
    const isTooSmall = () => {
      const least = this.#leastSize(role);
      return Number(look(path)?.size ?? 0n) < least;
    };
    return isTooSmall() && isTooSmall();
  }

  /** The least size: the log must hold every page of its index; a page of the database must be in its file, or in the log. */
  #leastSize(role: FileRole): number {
    if (role === "index") return 0;
    const { log, checkpointed } = this.#checkpoint("NOOP");
    if (role === "log") {
      return log === 0 ? 0 : LOG_HEADER_BYTES + log * (FRAME_HEADER_BYTES + this.#pageSize);
    }
    const pages = Number(this.#db.pragma("page_count", { simple: true }));
    return Math.max(1, pages - (log - checkpointed)) * this.#pageSize;
  }

  #checkpoint(mode: "NOOP" | "TRUNCATE"): { log: number; checkpointed: number } {
    const [row] = this.#db.pragma(`wal_checkpoint(${mode})`) as [{ log: number; checkpointed: number }];
    return row;
  }
}

function look(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}

function isSame({ dev, ino }: OpenFile, found: BigIntStats): boolean {
  return found.dev === dev && found.ino === ino;
}
