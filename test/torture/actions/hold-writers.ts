import { SQL } from "bun";

import { Sqlite } from "../../../src/store/sqlite/driver.ts";
import type { TortureFolder } from "../folder.ts";

const MAX_WAIT_MS = 60_000;

/** Nobody writes turns or actions until this is disposed of; they are read as ever. */
export async function holdWriters({ postgresUrl, database }: TortureFolder): Promise<AsyncDisposable> {
  if (postgresUrl === undefined) {
    const db = new Sqlite(database, { fileMustExist: true, timeout: MAX_WAIT_MS });
    db.exec("BEGIN IMMEDIATE");
    return {
      async [Symbol.asyncDispose]() {
        db.close();
      },
    };
  }
  const sql = new SQL(postgresUrl, { max: 1 });
  const connection = await sql.reserve();
  await connection.unsafe("BEGIN");
  await connection.unsafe("LOCK TABLE turns, turns_in_flight, actions IN EXCLUSIVE MODE");
  return {
    async [Symbol.asyncDispose]() {
      await connection.release();
      await sql.close();
    },
  };
}
