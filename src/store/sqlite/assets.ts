import type { Database } from "better-sqlite3";

import { LIST_FILES, DELETE_EARLY_BUILDS, DELETE_UNUSED_CONTENTS } from "../asset-sql.ts";
import type { Assets, BuildFile, KeptFile } from "../interface/assets.ts";
import type { SqliteInstances } from "./instances.ts";

interface SqliteAssetsParts {
  db: Database;
  /** Notes which build the server runs. */
  instances: Pick<SqliteInstances, "runBuild">;
  write: <Result>(work: () => Result) => Promise<Result>;
  /** Reads, and turns the failures of storage into what callers learn of them. */
  read: <Result>(read: () => Result) => Result;
}

/** Files of builds, in SQLite. */
export class SqliteAssets implements Assets {
  readonly #parts: SqliteAssetsParts;

  constructor(parts: SqliteAssetsParts) {
    this.#parts = parts;
  }

  saveBuild(id: string, files: readonly BuildFile[]): Promise<void> {
    const { db, instances, write } = this.#parts;
    return write(() => {
      db.prepare(
        `INSERT INTO asset_builds (id, place) SELECT ?, coalesce(max(place), 0) + 1 FROM asset_builds WHERE true
         ON CONFLICT (id) DO UPDATE SET place = excluded.place`,
      ).run(id);
      const addContent = db.prepare(
        "INSERT INTO asset_contents (integrity, brotli) VALUES (?, ?) ON CONFLICT DO NOTHING",
      );
      const addFile = db.prepare(
        "INSERT INTO asset_files (build, path, integrity) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
      );
      for (const { path, integrity, brotli } of files) {
        addContent.run(integrity, brotli);
        addFile.run(id, path, integrity);
      }
      instances.runBuild(id);
      db.exec(DELETE_EARLY_BUILDS);
      db.exec(DELETE_UNUSED_CONTENTS);
    });
  }

  async listFiles(): Promise<KeptFile[]> {
    const { db, read } = this.#parts;
    return read(() => db.prepare<[], KeptFile>(LIST_FILES).all());
  }

  async findContent(integrity: string): Promise<Uint8Array | undefined> {
    const { db, read } = this.#parts;
    const find = db
      .prepare<[string], Uint8Array>("SELECT brotli FROM asset_contents WHERE integrity = ?")
      .pluck();
    return read(() => find.get(integrity));
  }
}
