import { expect, test } from "bun:test";

import { seededRandom } from "../../src/intent/training/random.ts";
import { createEmptyDatabase, startPostgres, whyNoPostgres } from "../support/postgres-server.ts";
import { killInstances, seedPostgres } from "../torture/instances/kill-instances.ts";
import { measureRecovery } from "../torture/instances/restart-database.ts";
import { Tally } from "../torture/tally.ts";

/** Short pieces of `npm run bench:scale-out`. */
const MAX_MS = 120_000;
const INSTANCES = { instances: 3, callers: 24 };
const MAX_RECOVERY_MS = 3000;

test.skipIf(whyNoPostgres !== undefined)(
  "instances on one PostgreSQL database, killed in turn, lose no acknowledged message, keep caps and answer a key once",
  async () => {
    const { url, drop } = await createEmptyDatabase();
    using place = await seedPostgres(url);
    const tally = new Tally();
    const load = { ...INSTANCES, place, tally, random: seededRandom(1) };
    await killInstances({ ...load, seconds: 4, killEverySeconds: 1.5, say: () => {} });
    expect(tally.findings).toEqual([]);
    expect(tally.isClean).toBe(true);
    expect(tally.tried.kills).toBeGreaterThan(0);
    expect(tally.tried.retries).toBeGreaterThan(0);
    await drop();
  },
  MAX_MS,
);

test.skipIf(whyNoPostgres !== undefined || process.env["DATABASE_URL"] !== undefined)(
  "instances acknowledge again within three seconds of the return of a PostgreSQL server that restarts under load",
  async () => {
    let server = await startPostgres({ isKept: true });
    const { folder, port } = server;
    using place = await seedPostgres(`postgres://parley@127.0.0.1:${port}/postgres`);
    const tally = new Tally();
    const load = { ...INSTANCES, place, tally, random: seededRandom(1) };
    const recoveries = await measureRecovery(load, {
      stop: () => server.stop(),
      start: async () => void (server = await startPostgres({ folder, port })),
    });
    expect(tally.findings).toEqual([]);
    expect(Math.max(...recoveries.map(({ sinceBackMs }) => sinceBackMs))).toBeLessThan(MAX_RECOVERY_MS);
    await server.stop();
  },
  MAX_MS,
);
