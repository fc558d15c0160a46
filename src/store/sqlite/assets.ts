import type { Database } from "better-sqlite3";

import { type Assets, type BuildFile, BUILDS_KEPT, type KeptFile } from "../interface/assets.ts";
import type { InstanceStore } from "./instances.ts";

interface AssetStoreParts {
  db: Database;
  /** Notes which build the server runs. */
  instances: Pick<InstanceStore, "runBuild">;
  write: <Result>(work: () => Result) => Promise<Result>;
  /** Reads, and turns the failures of storage into what callers learn of them. */
  read: <Result>(read: () => Result) => Result;
}

/** Of all builds, the earliest build's first; in either engine's SQL, as are the two below. */
export const LIST_FILES = `
SELECT path, integrity FROM asset_files JOIN asset_builds ON asset_builds.id = asset_files.build ORDER BY place, path`;

export const DELETE_EARLY_BUILDS = `
DELETE FROM asset_builds
WHERE id NOT IN (SELECT id FROM asset_builds ORDER BY place DESC LIMIT ${BUILDS_KEPT})
  AND id NOT IN (SELECT asset_build FROM instances WHERE asset_build IS NOT NULL)`;

export const DELETE_UNUSED_CONTENTS = `
DELETE FROM asset_contents WHERE integrity NOT IN (SELECT integrity FROM asset_files)`;

/** Files of builds, in SQLite. */
export class AssetStore implements Assets {
  readonly #parts: AssetStoreParts;

  constructor(parts: AssetStoreParts) {
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
