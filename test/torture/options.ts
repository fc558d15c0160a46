import { freshSeed, readNumberOptions } from "../support/number-options.ts";
import { readStores, type StoreName } from "../support/store-option.ts";

/** How much is tried. Each part ends with its number or its time, whichever comes first. */
export interface TortureOptions {
  seed: number;
  /** On which servers are killed. */
  stores: readonly StoreName[];
  /** Rounds of callers, operators and kills, on each store. */
  rounds: number;
  /** How often servers are killed at each point of an action, on each store. */
  points: number;
  /** Backups that are made under load, restored and compared. */
  backups: number;
  /** Places at which each kind of fault strikes, in each of serving, migration, backup and restore. */
  steps: number;
  /** The longest that each part may take. */
  seconds: number;
}

const DEFAULTS = { rounds: 60, points: 10, backups: 100, steps: 16, seconds: 120 };

export const USAGE = `npm run torture -- [--seed N] [--rounds N] [--points N] [--backups N] [--steps N] [--seconds N] [--store sqlite|postgres]

  --rounds   rounds of callers, operators and kill -9, on each store (${DEFAULTS.rounds})
  --points   times that two servers are killed at each point of an action, on each store (${DEFAULTS.points})
  --backups  backups under load, each restored and compared (${DEFAULTS.backups})
  --steps    places at which each kind of disk fault strikes, in each of four acts (${DEFAULTS.steps})
  --seconds  the longest that each of these may take (${DEFAULTS.seconds})
  --store    rounds and points on this store alone; backups and disks are SQLite's
  --seed     repeats the choices of an earlier run, though not its timing`;

/** @throws where a number is none, or there is no such store. */
export function readOptions(args: readonly string[]): TortureOptions {
  const { stores, rest } = readStores(args);
  return { stores, ...readNumberOptions(rest, { seed: freshSeed(), ...DEFAULTS }) };
}
