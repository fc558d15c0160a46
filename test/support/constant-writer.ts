/**
 * Writes to a database without a pause, one transaction for each row, until its stdin ends. Prints `writing` at the first row, and at the end the
 * number of rows and of attempts that found the database locked.
 */
import { Sqlite } from "../../src/store/sqlite/driver.ts";

const db = new Sqlite(process.argv[2], { fileMustExist: true, timeout: 0 });
const insert = db.prepare(
  "INSERT INTO embeddings (model, text_hash, vector) VALUES ('writer', ?, zeroblob(2000))",
);
let stopped = false;
process.stdin.on("data", () => (stopped = true));
const counts = { written: 0, locked: 0 };

while (!stopped) {
  try {
    insert.run(Buffer.from(String(counts.written)));
    counts.written++;
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith("SQLITE_BUSY") !== true) throw error;
    counts.locked++;
  }
  if (counts.written === 1) process.stdout.write("writing\n");
  await new Promise((resolve) => setImmediate(resolve));
}
db.close();
process.stdout.write(JSON.stringify(counts));
process.exit(0);
