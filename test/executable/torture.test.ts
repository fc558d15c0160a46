import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { seededRandom } from "../../src/intent/training/random.ts";
import { databaseFor, readStores } from "../support/store-option.ts";
import { killAtPoints } from "../torture/actions/kill-at-points.ts";
import { runBackupRounds } from "../torture/backup-rounds.ts";
import { failBackups } from "../torture/disk/backups.ts";
import { FailingDisk, type FaultKind } from "../torture/disk/control.ts";
import { type FaultOptions, STRIKING } from "../torture/disk/fault-options.ts";
import { failMigrations } from "../torture/disk/migrations.ts";
import { failRestores } from "../torture/disk/restores.ts";
import { failWhileServing } from "../torture/disk/serving.ts";
import { type TortureFolder, copyFolder, seedFolder } from "../torture/folder.ts";
import { runKillRounds } from "../torture/kill-rounds.ts";
import { Tally } from "../torture/tally.ts";

/** A short piece of `npm run torture`. */
const MAX_MS = 120_000;

let seeded: TortureFolder;
let disk: FailingDisk | undefined;
beforeAll(async () => {
  seeded = await seedFolder();
  disk = await FailingDisk.make();
});
afterAll(() => {
  seeded[Symbol.dispose]();
  disk?.[Symbol.dispose]();
});

const common = (tally: Tally) => ({
  until: performance.now() + MAX_MS,
  random: seededRandom(1),
  tally,
  say: () => {},
});

function expectClean(tally: Tally): void {
  expect(tally.findings).toEqual([]);
  expect(tally.isClean).toBe(true);
}

describe.each(readStores([]).stores)("on %s", (store) => {
  test(
    "servers that are killed at random lose nothing that callers and operators were told, and keep caps exact",
    async () => {
      const tally = new Tally();
      await using database = await databaseFor(store);
      using folder = await seedFolder({ isOperated: true, env: database.env });
      await runKillRounds({ ...common(tally), folder, rounds: 2 });
      expectClean(tally);
      const { tried } = tally;
      expect(tried.kills).toBe(3);
      for (const done of [tried.acknowledged, tried.published + tried.drafts, tried.handoffs, tried.actions])
        expect(done).toBeGreaterThan(0);
      expect(tried.deliveries).toBeGreaterThanOrEqual(tried.handoffs);
    },
    MAX_MS,
  );

  test(
    "an action whose servers are killed at any point of it is done once at most, and never said to be done where it was not",
    async () => {
      const tally = new Tally();
      await using database = await databaseFor(store);
      using folder = await seedFolder({ isOperated: true, cappedBots: 1, env: database.env });
      await killAtPoints({ ...common(tally), folder, times: 1 });
      expectClean(tally);
      expect(tally.tried).toMatchObject({ kills: 10, actions: 20 });
    },
    MAX_MS,
  );
});

test(
  "backups under load, restored elsewhere, have every message that was acknowledged before",
  async () => {
    const tally = new Tally();
    using folder = copyFolder(seeded);
    await runBackupRounds({ ...common(tally), folder, backups: 2 });
    expectClean(tally);
    expect(tally.tried.backups).toBe(2);
  },
  MAX_MS,
);

/** Runs an act with the disk failing at few places: of a command the first call and the last. */
async function fail(
  act: (options: FaultOptions) => Promise<void>,
  steps: number,
  kinds: readonly FaultKind[],
): Promise<void> {
  if (disk === undefined) throw new Error("no library could be compiled");
  const tally = new Tally();
  await act({ ...common(tally), disk, seeded, steps, kinds });
  expectClean(tally);
  expect(tally.tried.faultsOf.size).toBe(kinds.length);
  expect(tally.tried.faults).toBeGreaterThanOrEqual(steps * kinds.length);
}

const hasCompiler = process.platform === "linux" && ["cc", "clang", "gcc"].some((name) => Bun.which(name));
if (!hasCompiler) console.warn("DISK FAULTS WERE LEFT OUT: there is no C compiler here.");

describe.if(hasCompiler)("a disk that fails", () => {
  test.each([
    ["below SQLite while serving costs no acknowledged message", failWhileServing, 1, STRIKING],
    ["during a migration loses no turn", failMigrations, 2, ["failed sync", "power cut"]],
    [
      "during a backup leaves a whole one or none, and the database as it is",
      failBackups,
      2,
      ["failed sync"],
    ],
    [
      "during a restore leaves the old database or the new one, and the truth is told",
      failRestores,
      2,
      ["failed sync"],
    ],
  ] satisfies [string, typeof failBackups, number, readonly FaultKind[]][])(
    "%s",
    async (_, act, steps, kinds) => fail(act, steps, kinds),
    MAX_MS,
  );
});
