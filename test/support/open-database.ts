import { openDatabase } from "../../src/store/sqlite/database.ts";

/** A process of its own that opens a database: `bun open-database.ts FILE`. Prints the lines for operators. */
openDatabase(process.argv[2]!, 0, (line) => process.stdout.write(`${line}\n`)).close();
