import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import { parseArgs } from "node:util";

import { CONSOLE_PACK_FILE } from "../console/assets.ts";
import { buildConsoleAssets } from "../console/build.ts";
import { PACK_FILE, packAssets } from "../widget/assets.ts";
import { buildWidgetAssets } from "../widget/build.ts";
import { buildForTargets } from "./cross-build.ts";
import { PROGRAM } from "./entry-points.ts";
import { licenseReport } from "./licenses.ts";
import { originOf } from "./origin.ts";
import { type Target, TARGETS } from "./targets.ts";

/** A step of the build: what it makes, and how. Steps run in order. */
interface BuildStep {
  name: string;
  run: () => Promise<void>;
}

const ASSETS = `dist/${PACK_FILE}`;

const CONSOLE_ASSETS = `dist/${CONSOLE_PACK_FILE}`;

const LICENSES = "dist/parley.licenses";

const ORIGIN = "dist/parley.origin.json";

/** For the machine that the build runs on. */
const EXECUTABLE: Omit<Target, "runtime"> = {
  driver: `better-sqlite3/${process.platform}-${process.arch}`,
  outfile: "dist/parley",
};

const STEPS: readonly BuildStep[] = [
  { name: ASSETS, run: async () => void (await Bun.write(ASSETS, packAssets(await buildWidgetAssets()))) },
  {
    name: CONSOLE_ASSETS,
    run: async () => void (await Bun.write(CONSOLE_ASSETS, packAssets(await buildConsoleAssets()))),
  },
  { name: LICENSES, run: async () => void (await Bun.write(LICENSES, await licenseReport())) },
  { name: ORIGIN, run: async () => void (await Bun.write(ORIGIN, JSON.stringify(originOf(".")))) },
  { name: EXECUTABLE.outfile, run: () => compileExecutable(EXECUTABLE) },
];

/**
 * One file that needs nothing else. Identifiers keep their names, as Elysia reads its handlers' source; the executable
 * ignores the `.env` and `bunfig.toml` of whatever folder it runs in.
 */
async function compileExecutable({
  runtime,
  driver,
  outfile,
}: Omit<Target, "runtime"> & Partial<Target>): Promise<void> {
  await rm(outfile, { force: true });
  await Bun.build({
    // Assets keep their folders: several languages have files of the same name. The packs are found again by their own.
    entrypoints: [...PROGRAM, ASSETS, CONSOLE_ASSETS],
    naming: { asset: "[dir]/[name].[ext]" },
    // The training thread is found at its place below this folder.
    root: "src",
    compile: {
      ...(runtime !== undefined && { target: runtime }),
      outfile,
      autoloadDotenv: false,
      autoloadBunfig: false,
    },
    bytecode: true,
    format: "esm",
    minify: { whitespace: true, syntax: true },
    sourcemap: "linked",
    plugins: [
      // `src/store/sqlite/driver.ts` names the driver of one platform; the target's stands in for it.
      insteadOf(/^better-sqlite3\/linux-x64$/, ({ importer }) => Bun.resolveSync(driver, importer)),
      // Where `parley --licenses` prints the notice, the executable has the notice with all that is inside.
      insteadOf(/\/docs\/NOTICE\.md$/, () => resolve(LICENSES)),
      insteadOf(/\/origin\.json$/, () => resolve(ORIGIN)),
      plainComments(),
    ],
  });
}

/** Has the bundler take the file that `replace` names for every import that `filter` matches. */
function insteadOf(filter: RegExp, replace: (args: Bun.OnResolveArgs) => string): Bun.BunPlugin {
  return {
    name: `instead of ${filter.source}`,
    setup(build) {
      build.onResolve({ filter }, (args) => ({ path: replace(args) }));
    },
  };
}

const say = (line: string) => void process.stderr.write(`${line}\n`);

/**
 * One letter beyond Latin-1 makes the whole program UTF-16, which is 2 MB more. The author's name in the comment that ibantools begins with
 * has two; it stands with its licence in what `parley --licenses` prints.
 */
function plainComments(): Bun.BunPlugin {
  return {
    name: "plain-comments",
    setup(build) {
      build.onLoad({ filter: /\/ibantools\/jsnext\/ibantools\.js$/ }, async ({ path }) => ({
        contents: (await Bun.file(path).text()).replaceAll(/\/\*[^]*?\*\//g, ""),
        loader: "js",
      }));
    },
  };
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { all: { type: "boolean", default: false } } });
  for (const { name, run } of STEPS) {
    const startedAt = performance.now();
    await run();
    say(`built ${name} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  }
  const failed = values.all ? await buildForTargets(TARGETS, { compile: compileExecutable, say }) : 0;
  process.exitCode = failed === 0 ? 0 : 1;
}
