import { expect, test } from "bun:test";

import { LEASE_TIMES } from "../../../../src/store/lease-observer.ts";
import type { PostgresInstances } from "../../../../src/store/postgres/instances.ts";
import { Leases } from "../../../../src/store/postgres/leases.ts";
import type { Pool } from "../../../../src/store/postgres/pool.ts";

test("a heartbeat that was on its way when its server left does not enter it again", async () => {
  const done: string[] = [];
  const note = (what: string) => async () => void done.push(what);
  const instances = {
    isEntered: true,
    beat: async () => !done.includes("left"),
    join: note("joined"),
    leave: note("left"),
    listOthers: async () => [],
  } as Partial<PostgresInstances> as PostgresInstances;
  const pool = { run: (work: (connection: unknown) => unknown) => work({}) } as unknown as Pool;
  const leases = new Leases({ pool, instances, times: LEASE_TIMES, finish: async () => {} });
  expect(await leases.renew(() => 0)).toMatchObject({ wasTakenForDead: false });
  await leases.leave();
  expect(await leases.renew(() => 0)).toMatchObject({ wasTakenForDead: false });
  expect(done).toEqual(["left"]);
});
