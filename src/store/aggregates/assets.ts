import type { InstanceId } from "../../domain/ids.ts";
import { type BuildFile, BUILDS_KEPT, type KeptFile } from "../interface/assets.ts";
import { byEngine, sql } from "../sql/sql.ts";
import { all, type Engine, first, run, type Work } from "../sql/work.ts";

/** The server that notes which build it runs. */
export interface BuildRunner {
  readonly own: InstanceId;
  /** Repeats the build when the server is registered again. */
  noteBuild(build: string): void;
}

interface SqlAssetsParts {
  engine: Engine;
  /** For reads: a message that is to be stored does not wait for a file to load. */
  looks: Pick<Engine, "read">;
  instance: BuildRunner;
}

/** Only one server stores a build at a time; readers do not wait. */
const TAKE_TURNS = byEngine({
  sqlite: "SELECT 1 AS there_is_one_writer",
  postgres: "LOCK TABLE asset_builds IN EXCLUSIVE MODE",
});

/** Files of recent builds, for pages that stay open while servers are upgraded. */
export class SqlAssets {
  readonly #parts: SqlAssetsParts;

  constructor(parts: SqlAssetsParts) {
    this.#parts = parts;
  }

  /**
   * Stores the files of the build that this server runs, which becomes the latest one. Builds older than the latest {@link BUILDS_KEPT}
   * are deleted, unless a server runs them.
   *
   * @param id a hash of the files.
   */
  saveBuild(id: string, files: readonly BuildFile[]): Promise<void> {
    return this.#parts.engine.write(() => this.#saveBuild(id, files));
  }

  /** Files of all kept builds, the earliest build's first. */
  listFiles(): Promise<KeptFile[]> {
    const statement = sql`
      SELECT path, integrity FROM asset_files JOIN asset_builds ON asset_builds.id = asset_files.build ORDER BY place, path`;
    return this.#parts.looks.read(() => all<KeptFile>(statement));
  }

  /** A file's content, compressed by Brotli; undefined if no kept build has it. */
  async findContent(integrity: string): Promise<Uint8Array | undefined> {
    const statement = sql`SELECT brotli FROM asset_contents WHERE integrity = ${integrity}`;
    return (await this.#parts.looks.read(() => first<{ brotli: Uint8Array }>(statement)))?.brotli;
  }

  *#saveBuild(id: string, files: readonly BuildFile[]): Work<void> {
    yield* run(TAKE_TURNS);
    yield* run(sql`
      INSERT INTO asset_builds (id, place) SELECT ${id}, coalesce(max(place), 0) + 1 FROM asset_builds WHERE true
      ON CONFLICT (id) DO UPDATE SET place = excluded.place`);
    for (const file of files) yield* saveFile(id, file);
    const { instance } = this.#parts;
    instance.noteBuild(id);
    yield* run(sql`UPDATE instances SET asset_build = ${id} WHERE id = ${instance.own}`);
    yield* run(sql`
      DELETE FROM asset_builds
      WHERE id NOT IN (SELECT id FROM asset_builds ORDER BY place DESC LIMIT ${BUILDS_KEPT})
        AND id NOT IN (SELECT asset_build FROM instances WHERE asset_build IS NOT NULL)`);
    yield* run(sql`DELETE FROM asset_contents WHERE integrity NOT IN (SELECT integrity FROM asset_files)`);
  }
}

/** The content is stored only if no build has it yet. */
function* saveFile(build: string, { path, integrity, brotli }: BuildFile): Work<void> {
  const there = yield* first(sql`SELECT 1 AS there FROM asset_contents WHERE integrity = ${integrity}`);
  if (!there)
    yield* run(sql`INSERT INTO asset_contents (integrity, brotli) VALUES (${integrity}, ${brotli})`);
  yield* run(sql`
    INSERT INTO asset_files (build, path, integrity) VALUES (${build}, ${path}, ${integrity}) ON CONFLICT DO NOTHING`);
}
