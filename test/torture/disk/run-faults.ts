import { failBackups } from "./backups.ts";
import type { FaultOptions } from "./fault-options.ts";
import { failMigrations } from "./migrations.ts";
import { failRestores } from "./restores.ts";
import { failWhileServing } from "./serving.ts";

/** Lets the disk fail at one call after another: while a server serves, while an old folder is migrated, during backup and restore. */
export async function runFaults(options: FaultOptions): Promise<void> {
  for (const [name, act] of Object.entries({
    serving: failWhileServing,
    migration: failMigrations,
    backup: failBackups,
    restore: failRestores,
  })) {
    const before = options.tally.tried.faults;
    // Each act gets a quarter of the time.
    const until = performance.now() + (options.until - performance.now()) / (4 - ACTS.indexOf(name));
    await act({ ...options, until });
    options.say(`places at which the disk failed during ${name}: ${options.tally.tried.faults - before}`);
  }
}

const ACTS = ["serving", "migration", "backup", "restore"];
