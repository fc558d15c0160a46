import { DELETE_EARLY_BUILDS, DELETE_UNUSED_CONTENTS, LIST_FILES } from "../asset-sql.ts";
import type { Assets, BuildFile, KeptFile } from "../interface/assets.ts";
import { List, type Queries } from "./connection.ts";
import type { PostgresInstances } from "./instances.ts";
import type { Pool } from "./pool.ts";

interface PostgresAssetsParts {
  pool: Pool;
  /** For reading, so that no visitor who writes waits for one who loads a file. */
  looks: Pool;
  instances: PostgresInstances;
}

/** Others that store a build wait; who reads does not. */
const TAKE_TURNS = "LOCK TABLE asset_builds IN EXCLUSIVE MODE";

const MAKE_LATEST = `
INSERT INTO asset_builds (id, place) SELECT $1, coalesce(max(place), 0) + 1 FROM asset_builds
ON CONFLICT (id) DO UPDATE SET place = excluded.place`;

const ADD_FILES = `
INSERT INTO asset_files (build, path, integrity)
SELECT $1, path, integrity FROM unnest($2::text[], $3::text[]) AS files (path, integrity) ON CONFLICT DO NOTHING`;

/** Files of builds, in PostgreSQL. */
export class PostgresAssets implements Assets {
  readonly #parts: PostgresAssetsParts;

  constructor(parts: PostgresAssetsParts) {
    this.#parts = parts;
  }

  saveBuild(id: string, files: readonly BuildFile[]): Promise<void> {
    const { pool, instances } = this.#parts;
    return pool.transaction(async (queries) => {
      await queries.query(TAKE_TURNS);
      await queries.query(MAKE_LATEST, [id]);
      await addContents(queries, files);
      const paths = new List(files.map(({ path }) => path));
      await queries.query(ADD_FILES, [id, paths, listIntegrities(files)]);
      await instances.runBuild(queries, id);
      await queries.query(DELETE_EARLY_BUILDS);
      await queries.query(DELETE_UNUSED_CONTENTS);
    });
  }

  listFiles(): Promise<KeptFile[]> {
    return this.#parts.looks.query<KeptFile>(LIST_FILES);
  }

  async findContent(integrity: string): Promise<Uint8Array | undefined> {
    const [row] = await this.#parts.looks.query<{ brotli: Uint8Array }>(
      "SELECT brotli FROM asset_contents WHERE integrity = $1",
      [integrity],
    );
    return row?.brotli;
  }
}

/** Sends those alone that no build has yet. */
async function addContents(queries: Queries, files: readonly BuildFile[]): Promise<void> {
  const there = await queries.query<{ integrity: string }>(
    "SELECT integrity FROM asset_contents WHERE integrity = ANY($1::text[])",
    [listIntegrities(files)],
  );
  const known = new Set(there.map(({ integrity }) => integrity));
  for (const { integrity, brotli } of files) {
    if (known.has(integrity)) continue;
    known.add(integrity);
    await queries.query("INSERT INTO asset_contents (integrity, brotli) VALUES ($1, $2)", [
      integrity,
      brotli,
    ]);
  }
}

function listIntegrities(files: readonly BuildFile[]): List {
  return new List(files.map(({ integrity }) => integrity));
}
