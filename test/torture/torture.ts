import { seededRandom } from "../../src/intent/training/random.ts";
import { databaseFor, type StoreName } from "../support/store-option.ts";
import { killAtPoints } from "./actions/kill-at-points.ts";
import { runBackupRounds } from "./backup-rounds.ts";
import { FailingDisk } from "./disk/control.ts";
import { STRIKING } from "./disk/fault-options.ts";
import { runFaults } from "./disk/run-faults.ts";
import { copyFolder, seedFolder, type TortureFolder } from "./folder.ts";
import { runKillRounds } from "./kill-rounds.ts";
import type { TortureOptions } from "./options.ts";
import { Tally } from "./tally.ts";

const LEFT_OUT = [
  "*".repeat(72),
  "DISK FAULTS WERE LEFT OUT: no C compiler (cc, clang or gcc) makes a library for LD_PRELOAD here.",
  "*".repeat(72),
];

/** Kills, backups, and disks that fail, as far as the options let it. @returns what was tried, and what went wrong. */
export async function torture(options: TortureOptions, say: (line: string) => void): Promise<Tally> {
  const { seed, stores, rounds, points, backups, steps, seconds } = options;
  const tally = new Tally();
  const random = seededRandom(seed);
  say(`seed ${seed}`);
  const until = () => performance.now() + seconds * 1000;
  const common = { random, tally, say };
  for (const store of stores) {
    if (rounds > 0) {
      say(`rounds on ${store}`);
      await onFreshStore(store, (folder) => runKillRounds({ ...common, folder, rounds, until: until() }));
    }
    if (points > 0) {
      say(`points of an action on ${store}`);
      await onFreshStore(store, (folder) =>
        killAtPoints({ ...common, folder, times: points, until: until() }),
      );
    }
  }
  if (!stores.includes("sqlite")) return tally;
  using seeded = await seedFolder();
  if (backups > 0) {
    using folder = copyFolder(seeded);
    await runBackupRounds({ folder, backups, until: until(), random, tally, say });
  }
  if (steps > 0) {
    using disk = await FailingDisk.make();
    if (disk) await runFaults({ disk, seeded, steps, kinds: STRIKING, until: until(), random, tally, say });
    else for (const line of LEFT_OUT) say(line);
  }
  return tally;
}

async function onFreshStore(store: StoreName, work: (folder: TortureFolder) => Promise<void>): Promise<void> {
  await using database = await databaseFor(store);
  using folder = await seedFolder({ isOperated: true, env: database.env });
  await work(folder);
}
