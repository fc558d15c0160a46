import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";

import { Glob } from "bun";

import { licenseReport, packageLicenses } from "../../../src/build/licenses.ts";
import { runInTerminal } from "../../support/cli.ts";

/** What builds the executable and its assets, and is not in it. */
const BUILDING = /^src\/(build\/|widget\/build\.ts$)/;

/** Packages that the sources import by name; `import type` brings nothing into the executable. */
function importedPackages(): Set<string> {
  const names = new Set<string>();
  for (const file of new Glob("src/**/*.{ts,tsx}").scanSync()) {
    if (BUILDING.test(file)) continue;
    for (const [, name] of readFileSync(file, "utf8").matchAll(
      /^(?:import|export) (?!type)[^;]*? from "((?:@[\w.-]+\/)?[\w.-]+)/gm,
    )) {
      if (!name!.startsWith(".") && !["bun", "node"].includes(name!)) names.add(name!);
    }
  }
  return names;
}

const namesOfLicensed = async () =>
  new Set((await packageLicenses()).map(({ title }) => title.slice(0, title.indexOf(" "))));

test("every package that the sources import is among the licences", async () => {
  const names = await namesOfLicensed();
  const imported = [...importedPackages()];
  expect(imported.length).toBeGreaterThan(10);
  expect(imported.filter((name) => !names.has(name))).toEqual([]);
});

test("what only tests and tools need is not among them", async () => {
  const names = await namesOfLicensed();
  expect(
    [...names].filter((name) => /playwright|knip|oxlint|fast-check|typescript|^bun$/.test(name)),
  ).toEqual([]);
});

test("a package's licence has its version, its kind and its copyright", async () => {
  const { version } = JSON.parse(readFileSync("node_modules/preact/package.json", "utf8")) as {
    version: string;
  };
  const preact = (await packageLicenses()).find(({ title }) => title.startsWith("preact "))!;
  expect(preact.title).toBe(`preact ${version} (MIT)`);
  expect(preact.text).toContain("Copyright (c) 2015-present Jason Miller");
});

test("a licence that stands in the README alone is taken from there", async () => {
  const isarray = (await packageLicenses()).find(({ title }) => title.startsWith("isarray "))!;
  expect(isarray.text).toContain("Copyright (c) 2013 Julian Gruber");
});

test("the report has Parley's licence, the notice and every text that the notice names", async () => {
  const report = await licenseReport();
  for (const part of ["LICENSE", "docs/NOTICE.md", ...new Glob("docs/licenses/*.txt").scanSync()]) {
    expect(report).toContain(readFileSync(part, "utf8").trim());
  }
});

test("from the sources, --licenses prints the notice", async () => {
  expect(await runInTerminal(["--licenses"])).toEqual({
    stdout: readFileSync("docs/NOTICE.md", "utf8"),
    stderr: "",
    exitCode: 0,
  });
});
