import { freshSeed, readNumberOptions } from "../support/number-options.ts";

/** How much is tried. Each part ends with its number or its time, whichever comes first. */
export interface TortureOptions {
  seed: number;
  /** Rounds of callers and kills. */
  rounds: number;
  /** Backups that are made under load, restored and compared. */
  backups: number;
  /** Places at which each kind of fault strikes, in each of serving, migration, backup and restore. */
  steps: number;
  /** The longest that each of the three parts may take. */
  seconds: number;
}

const DEFAULTS = { rounds: 60, backups: 100, steps: 16, seconds: 120 };

export const USAGE = `npm run torture -- [--seed N] [--rounds N] [--backups N] [--steps N] [--seconds N]

  --rounds   rounds of callers and kill -9 (${DEFAULTS.rounds})
  --backups  backups under load, each restored and compared (${DEFAULTS.backups})
  --steps    places at which each kind of disk fault strikes, in each of four acts (${DEFAULTS.steps})
  --seconds  the longest that each of these three may take (${DEFAULTS.seconds})
  --seed     repeats the choices of an earlier run, though not its timing`;

/** @throws where a number is none. */
export function readOptions(args: readonly string[]): TortureOptions {
  return readNumberOptions(args, { seed: freshSeed(), ...DEFAULTS });
}
