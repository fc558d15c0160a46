import { mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";

import type { Database } from "better-sqlite3";

import type { Actor, Change } from "../../domain/change.ts";
import type { Now } from "../../domain/time.ts";
import { TurnCounting } from "../sqlite/analytics/turn-counting.ts";
import { checkDatabase } from "../sqlite/backup/check-database.ts";
import { ownLike, giveDurableName } from "../sqlite/backup/durable-files.ts";
import { PartFile, removeAbandonedParts } from "../sqlite/backup/part-file.ts";
import { Sqlite } from "../sqlite/driver.ts";
import { appendTo } from "../sqlite/file-changes.ts";
import { holdFolder } from "../sqlite/folder-claim.ts";
import { markForOwner } from "../sqlite/marker.ts";
import { migrate } from "../sqlite/migrate.ts";
import { refuseUnusableFolder } from "../sqlite/usable-folder.ts";
import { CopyError } from "./errors.ts";
import { SqliteSide } from "./sqlite-side.ts";

/** Turns whose words are indexed before the event loop runs again: some milliseconds. Chosen by hand. */
const TURNS_A_STEP = 200;

/** A data folder as the target of a copy. Its database gets its final name once it is complete, checked and on disk; until then there is none. */
export class FolderTarget extends SqliteSide implements Disposable {
  readonly database: string;
  readonly #part: string;
  readonly #opened: DisposableStack;

  private constructor(db: Database, dataDir: string, part: string, opened: DisposableStack) {
    super(db, { isSource: false });
    this.database = join(dataDir, "parley.db");
    this.#part = part;
    this.#opened = opened;
  }

  /** @throws CopyError if the folder holds anything. */
  static open(dataDir: string, now: Now): FolderTarget {
    using opened = new DisposableStack();
    refuseUnusableFolder(join(dataDir, "parley.db"));
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const held = opened.use(holdFolder(dataDir));
    if (!held) throw new CopyError(`a server runs on ${dataDir}; name a new folder`);
    removeAbandonedParts(dataDir, now);
    const other = readdirSync(dataDir).find((name) => name !== "parley.lock");
    if (other !== undefined)
      throw new CopyError(`${dataDir} is not empty (there is ${other}); name a new folder, or an empty one`);
    const { path } = opened.use(new PartFile(dataDir, now()));
    const db = opened.adopt(new Sqlite(path), (open) => void open.close());
    // An interrupted copy is deleted as a whole, so it needs no journal, and no sync before the end.
    db.pragma("journal_mode = OFF");
    db.pragma("synchronous = OFF");
    db.pragma("foreign_keys = ON");
    migrate(db, ":memory:", { now });
    db.exec("BEGIN");
    return new FolderTarget(db, dataDir, path, opened.move());
  }

  /** Indexes the words of counted turns, and queues uncounted turns for a server. */
  async indexTurns(onTurns: () => void): Promise<void> {
    const counting = new TurnCounting(this.db);
    for (
      let place: number | undefined = 0;
      place !== undefined;
      place = counting.indexBehind(place, TURNS_A_STEP)
    ) {
      onTurns();
      await Bun.sleep(0);
    }
    this.db.exec(`
      INSERT INTO awaited_turns (turn_key) SELECT key FROM turns
      WHERE key < (SELECT max(turn_key) FROM counted_turns) AND key NOT IN (SELECT turn_key FROM counted_turns)`);
  }

  /** Records the copy, checks the file, and renames it to its final name. */
  finish(change: Change, { by, now }: { by: Actor; now: Now }): void {
    appendTo(this.db, change, by, now);
    this.db.exec("COMMIT");
    this.db.close();
    const check = checkDatabase(this.#part, now);
    if (!check.sound) throw new CopyError(`the copy ${check.reason}; nothing was kept`);
    ownLike(dirname(this.database), this.#part);
    if (!giveDurableName(this.#part, this.database, { replace: false }))
      throw new CopyError(
        `${this.database} was created by another process during the copy; nothing was kept`,
      );
    markForOwner(this.database);
  }

  [Symbol.dispose](): void {
    this.#opened.dispose();
  }
}
