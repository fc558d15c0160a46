import type { TortureFolder } from "../folder.ts";
import type { RoundsOptions } from "../kill-rounds.ts";
import { failBackups } from "./backups.ts";
import type { FailingDisk, FaultKind } from "./control.ts";
import { failMigrations } from "./migrations.ts";
import { failRestores } from "./restores.ts";
import { failWhileServing } from "./serving.ts";

export interface FaultOptions extends Omit<RoundsOptions, "rounds" | "folder"> {
  disk: FailingDisk;
  /** A folder with bots and a token, to be copied. */
  seeded: TortureFolder;
  /** Places at which each kind strikes, in each act. */
  steps: number;
}

export const STRIKING: readonly FaultKind[] = [
  "failed sync",
  "short write",
  "full disk",
  "failed write",
  "power cut",
];

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
    options.say(`disk faults during ${name}: ${options.tally.tried.faults - before}`);
  }
}

const ACTS = ["serving", "migration", "backup", "restore"];

/** Which calls are to fail: `steps` of `calls`, evenly, the first and the last among them. */
export function placesAmong(calls: number, steps: number): number[] {
  const count = Math.min(calls, steps);
  const places = Array.from({ length: count }, (_, step) =>
    Math.round((step * (calls - 1)) / Math.max(1, count - 1)),
  );
  return [...new Set(places)];
}
