import { parseStoreAddress } from "../../src/config/store-address.ts";
import { migrate } from "../../src/store/postgres/migrate.ts";
import { Pool } from "../../src/store/postgres/pool.ts";
import { PATIENT } from "./postgres-stores.ts";

/** A process of its own that migrates a database: `bun upgrade-postgres.ts URL STEP…`, with the SQL of each step. */
const [url = "", ...migrations] = process.argv.slice(2);
const address = parseStoreAddress(url);
await using pool = new Pool({ address, connections: 1, ...PATIENT });
await migrate(pool, address, { migrations });
