import { expect, test } from "bun:test";
import { dirname, join, normalize } from "node:path";

import { Glob } from "bun";

const GOVERNANCE = join(import.meta.dir, "../../../src/governance");
/** What every file of the room may import: shapes alone. */
const AT_THE_BOTTOM = "judged-message.ts";

async function importsOf(file: string): Promise<string[]> {
  const source = await Bun.file(join(GOVERNANCE, file)).text();
  return [...source.matchAll(/^(?:import|export)\s[^;]*?from\s+"(\.[^"]+)"/gms)]
    .map(([, specifier]) => normalize(join(dirname(file), specifier!)))
    .filter((target) => !target.startsWith(".."));
}

async function importsByFile(): Promise<Map<string, string[]>> {
  const files = await Array.fromAsync(new Glob("**/*.ts").scan(GOVERNANCE));
  return new Map(await Promise.all(files.map(async (file) => [file, await importsOf(file)] as const)));
}

const subRoomOf = (file: string): string => (file.includes("/") ? dirname(file) : "");

/** The files from one on along its imports, back to one that was passed; undefined where there is no circle. */
function circleFrom(
  file: string,
  imports: ReadonlyMap<string, string[]>,
  path: string[] = [],
): string[] | undefined {
  if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
  for (const target of imports.get(file) ?? []) {
    const circle = circleFrom(target, imports, [...path, file]);
    if (circle !== undefined) return circle;
  }
  return undefined;
}

test("a sub-room imports itself and what stands at the bottom, types included", async () => {
  const offences = [...(await importsByFile())].flatMap(([file, targets]) =>
    targets
      .filter(
        (target) =>
          subRoomOf(file) !== "" && subRoomOf(target) !== subRoomOf(file) && target !== AT_THE_BOTTOM,
      )
      .map((target) => `${file} imports ${target}`),
  );
  expect(offences).toEqual([]);
});

test("no imports of the room form a circle", async () => {
  const imports = await importsByFile();
  expect(imports.size).toBeGreaterThan(20);
  const circles = [...imports.keys()].flatMap((file) => circleFrom(file, imports)?.join(" → ") ?? []);
  expect(circles).toEqual([]);
});
