import { parseArgs } from "node:util";

/**
 * Whole numbers from the command line: `--bot-files 20` is `botFiles`. Missing options come from `defaults`.
 *
 * @throws Error if a value is no number, or an option has no default.
 */
export function readNumberOptions<Name extends string>(
  args: readonly string[],
  defaults: Readonly<Record<Name, number>>,
): Record<Name, number> {
  const names = Object.keys(defaults) as Name[];
  const { values } = parseArgs({
    args: [...args],
    options: Object.fromEntries(names.map((name) => [flagOf(name), { type: "string" as const }])),
  });
  const read = (name: Name): number => {
    const number = Number(values[flagOf(name)] ?? defaults[name]);
    if (Number.isSafeInteger(number) && number >= 0) return number;
    throw new Error(`--${flagOf(name)} should be a whole number`);
  };
  return Object.fromEntries(names.map((name) => [name, read(name)])) as Record<Name, number>;
}

function flagOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** A seed for a run without one. */
export function freshSeed(): number {
  return Date.now() % 1_000_000;
}
