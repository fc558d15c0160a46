import { join } from "node:path";

import type { Database } from "better-sqlite3";

import { sha256 } from "../../domain/sha256.ts";
import type { Now } from "../../domain/time.ts";
import { openDatabase } from "../sqlite/database.ts";
import { holdFolder } from "../sqlite/folder-claim.ts";
import { LATEST_SCHEMA } from "../sqlite/migrate.ts";
import { openTurnTables, SqliteTurnWrites } from "../sqlite/turn-writes.ts";
import { CopyError } from "./errors.ts";
import { SqliteSide } from "./sqlite-side.ts";

/** How long opening waits for a command that writes to the folder. */
const BUSY_TIMEOUT_MS = 5000;

/**
 * A data folder as the source of a copy. While it is open, no server runs on the folder and no other process writes to its database. The
 * database changes in two ways only: it is migrated to this version, and unfinished turns of a killed server are given back.
 */
export class FolderSource extends SqliteSide implements Disposable {
  readonly database: string;
  readonly #opened: DisposableStack;

  private constructor(db: Database, database: string, opened: DisposableStack) {
    super(db, { isSource: true });
    this.database = database;
    this.#opened = opened;
  }

  /**
   * @throws CopyError if a server runs on the folder.
   * @throws UnusableDatabaseError if its database cannot be used.
   */
  static open(dataDir: string, now: Now): FolderSource {
    using opened = new DisposableStack();
    const database = join(dataDir, "parley.db");
    const held = opened.use(holdFolder(dataDir));
    if (!held) throw new CopyError(`a server runs on ${dataDir}; stop it, and try again`);
    const db = opened.adopt(openDatabase(database, BUSY_TIMEOUT_MS), (open) => void open.close());
    settle(db, now);
    return new FolderSource(db, database, opened.move());
  }

  /** Identifies the folder and its state: an interrupted copy continues only from an unchanged folder. */
  fingerprint(): string {
    const read = (sql: string) => this.db.prepare(sql).raw().all();
    const facts = [
      LATEST_SCHEMA,
      // Format of the progress of a copy.
      "table and place",
      read("SELECT key, id, version, enabled, updated_at FROM bot_rows ORDER BY key"),
      read("SELECT key, at, kind, subject, fields FROM changes ORDER BY key DESC LIMIT 1"),
      read("SELECT key, request_id, state FROM turns ORDER BY key DESC LIMIT 1"),
      read("SELECT starts FROM server_starts"),
      read("SELECT heartbeat_at FROM clock"),
    ];
    return sha256(JSON.stringify(facts)).toString("hex");
  }

  [Symbol.dispose](): void {
    this.endReading();
    this.#opened.dispose();
  }
}

/** Gives back the unfinished turns of killed servers, as a server does at a start alone on its folder. No other process writes from then on. */
function settle(db: Database, now: Now): void {
  const turns = new SqliteTurnWrites(openTurnTables(db, now));
  db.transaction(() => {
    turns.giveBackAll();
    // Leftovers of interrupted changes of documents; no change is under way now.
    db.exec("DELETE FROM knowledge_documents WHERE is_live = 0");
  }).immediate();
  db.exec("BEGIN IMMEDIATE");
}
