import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { FIGURES, isWorth, type Measured, worthOf } from "./figures.ts";
import { type Part, PARTS, ROOT, SIGNAL_GROUPS } from "./parts.ts";

/**
 * `npm run bench:intent -- --ablate [NAME…]`: leaves out one part of the engine at a time, and prints what is lost without it, in points,
 * by five seeds. A star stands where that is at least twice its standard deviation. Takes two minutes for the whole engine, and one for
 * each part.
 */
export async function ablate(names: readonly string[]): Promise<void> {
  const chosen = PARTS.filter(({ name }) => names.length === 0 || names.includes(name));
  const signals = Object.keys(SIGNAL_GROUPS).filter((name) => names.length === 0 || names.includes(name));
  const folder = mkdtempSync(join(tmpdir(), "parley-ablation-"));
  try {
    const whole = await measure(folder);
    printWhole(whole);
    for (const part of chosen) {
      const without = await measure(folder, part.name);
      printLosses(part.name, [String(linesOf(part)), ...costCells(without)], whole, without);
    }
    console.log("the same, where both calibrations lack a signal:");
    for (const name of signals) {
      printLosses(name, ["", "", "", ""], whole, { seeds: whole.withoutSignals?.[name] ?? [] });
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measure(folder: string, without?: string): Promise<Measured> {
  process.stderr.write(`${without ?? "the whole engine"} `);
  const child = Bun.spawn(
    [process.execPath, "--preload", join(import.meta.dir, "without.ts"), join(import.meta.dir, "measure.ts")],
    {
      env: {
        ...process.env,
        PARLEY_VECTORS: join(folder, "vectors"),
        ...(without !== undefined && { PARLEY_WITHOUT: without }),
      },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const output = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`measuring without ${without} failed`);
  process.stderr.write("\n");
  return JSON.parse(output) as Measured;
}

function printWhole(whole: Measured): void {
  const titles = ["lines", "ms", "µs", "kB", ...FIGURES.map(({ title }) => title)];
  console.log(`${"".padEnd(34)}${titles.map((title) => title.padStart(8)).join("")}`);
  const cells = FIGURES.map(({ name }) => {
    const mean = whole.seeds.reduce((sum, seed) => sum + seed[name], 0) / whole.seeds.length;
    return (100 * mean).toFixed(1);
  });
  console.log(row("the whole engine: in percent", ["", ...costCells(whole), ...cells]));
  console.log("what is lost without, in points:");
}

function printLosses(
  name: string,
  leading: readonly string[],
  whole: Measured,
  without: Pick<Measured, "seeds">,
): void {
  const cells = FIGURES.map(({ name: figure }) => {
    const worth = worthOf(figure, whole, without);
    return `${(100 * worth.mean).toFixed(1)}${isWorth(worth) ? "*" : " "}`;
  });
  console.log(row(name, [...leading, ...cells]));
}

function costCells({ costs }: Measured): string[] {
  return [costs.trainMs.toFixed(0), costs.microseconds.toFixed(1), (costs.bytes / 1000).toFixed(0)];
}

function linesOf({ files, otherLines }: Part): number {
  const own = files.map((file) => readFileSync(join(ROOT, file), "utf8").split("\n").length - 1);
  return own.reduce((sum, lines) => sum + lines, otherLines);
}

function row(name: string, cells: readonly string[]): string {
  return name.padEnd(34) + cells.map((cell) => cell.padStart(8)).join("");
}
