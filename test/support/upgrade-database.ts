import { existsSync } from "node:fs";

import { Sqlite } from "../../src/store/sqlite/driver.ts";
import { migrate } from "../../src/store/sqlite/migrate.ts";

/**
 * A process of its own that migrates a database: `bun upgrade-database.ts FILE STEP…`, with the SQL of each step. Prints the lines for operators. Starts
 * once the file `FILE.go` exists, so that several start at the same time.
 */
const [file = "", ...migrations] = process.argv.slice(2);
const db = new Sqlite(file, { fileMustExist: true, timeout: 1000 });
process.stdout.write("ready\n");
while (!existsSync(`${file}.go`)) await Bun.sleep(1);
migrate(db, file, { now: Date.now, migrations, onUpgrade: (line) => process.stdout.write(`${line}\n`) });
db.close();
