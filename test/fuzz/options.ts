import { freshSeed, readNumberOptions } from "../support/number-options.ts";

/** How many inputs of each kind are tried. */
export interface FuzzOptions {
  seed: number;
  requests: number;
  botFiles: number;
  texts: number;
  commandLines: number;
  /** The longest that each kind may take. */
  seconds: number;
}

const DEFAULTS = { requests: 20_000, botFiles: 1500, texts: 50_000, commandLines: 1500, seconds: 90 };

export const USAGE = `npm run fuzz -- [--seed N] [--requests N] [--bot-files N] [--texts N] [--command-lines N] [--seconds N]

  --requests       requests to both listeners (${DEFAULTS.requests})
  --bot-files      bot files to parley seed --dry-run (${DEFAULTS.botFiles})
  --texts          tokens, domains, addresses and settings (${DEFAULTS.texts})
  --command-lines  command lines (${DEFAULTS.commandLines})
  --seconds        the longest that each of these may take (${DEFAULTS.seconds})
  --seed           repeats the inputs of an earlier run`;

/** @throws where a number is none. */
export function readOptions(args: readonly string[]): FuzzOptions {
  return readNumberOptions(args, { seed: freshSeed(), ...DEFAULTS });
}
