import { freshSeed, readNumberOptions } from "../support/number-options.ts";
import { readStores, type StoreName } from "../support/store-option.ts";

/** How many inputs of each kind are tried. */
export interface FuzzOptions {
  seed: number;
  /** On which requests are answered. */
  stores: readonly StoreName[];
  /** On each store. */
  requests: number;
  botFiles: number;
  texts: number;
  commandLines: number;
  /** The longest that each kind may take. */
  seconds: number;
}

const DEFAULTS = { requests: 20_000, botFiles: 1500, texts: 50_000, commandLines: 1500, seconds: 90 };

export const USAGE = `npm run fuzz -- [--seed N] [--requests N] [--bot-files N] [--texts N] [--command-lines N] [--seconds N] [--store sqlite|postgres]

  --requests       requests to both listeners, on each store (${DEFAULTS.requests})
  --bot-files      bot files to parley seed --dry-run (${DEFAULTS.botFiles})
  --texts          tokens, domains, addresses and settings (${DEFAULTS.texts})
  --command-lines  command lines (${DEFAULTS.commandLines})
  --seconds        the longest that each of these may take (${DEFAULTS.seconds})
  --store          the requests on this store alone
  --seed           repeats the inputs of an earlier run`;

/** @throws where a number is none, or there is no such store. */
export function readOptions(args: readonly string[]): FuzzOptions {
  const { stores, rest } = readStores(args);
  return { stores, ...readNumberOptions(rest, { seed: freshSeed(), ...DEFAULTS }) };
}
