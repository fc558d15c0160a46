import { type BigIntStats, statSync } from "node:fs";
import { resolve } from "node:path";

import type { Database } from "better-sqlite3";

/** The database, its write-ahead log, and the index of that log, which processes share. */
type FileRole = "database" | "log" | "index";

/** What has become of a file that this process holds open: nothing stands at its path, another file does, or its end is cut off. */
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
  /** In bytes, when it was last looked at. */
  size: bigint;
}

/** Of a write-ahead log, and of each page in it (SQLite's file format, section 4). */
const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

const SUFFIXES: readonly [FileRole, suffix: string][] = [
  ["database", ""],
  ["log", "-wal"],
  ["index", "-shm"],
];

/**
 * Whether the files that a connection holds open are those that stand at their paths. SQLite looks at this only where it keeps a
 * rollback journal; with a write-ahead log it would go on writing to a deleted file. The files are looked at by path and never opened:
 * to close one would take away the locks that SQLite holds on it in this process.
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
   * The first change, if there is one. Costs a `stat` for each file.
   *
   * @throws Error when a path cannot be looked at, which says nothing of the file.
   */
  findChange(): FileChange | undefined {
    for (const file of this.#files) {
      const change = this.#changeOf(file);
      if (change) return change;
    }
    return undefined;
  }

  /** As `findChange`, of the write-ahead log alone: a commit would hide that its beginning was cut off. */
  findChangeOfLog(): FileChange | undefined {
    const change = this.#log && this.#changeOf(this.#log);
    // Where the folder was moved, the log is not the file to name.
    return change && (this.findChange() ?? change);
  }

  /**
   * Writes what the log holds into the database file that is open, wherever that file is now, and empties the log. Where a database was
   * replaced, its log would otherwise be taken for the new one's.
   *
   * @returns false where that could not be done whole, or where another process may already use files that we do not have.
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

  /** Files also shrink by right: a log that another process has emptied, a database that one has vacuumed. Read twice, as both may change meanwhile. */
  #isCut(role: FileRole, path: string): boolean {
    const isTooSmall = () => {
      const least = this.#leastSize(role);
      return Number(look(path)?.size ?? 0n) < least;
    };
    return isTooSmall() && isTooSmall();
  }

  /** Every page in the log's index is in the log; every page of the database is in its file, or in the part of the log that is not. */
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
