import { rm } from "node:fs/promises";
import { resolve } from "node:path";

import { PACK_FILE, packAssets } from "../widget/assets.ts";
import { buildWidgetAssets } from "../widget/build.ts";
import { PROGRAM } from "./entry-points.ts";
import { licenseReport } from "./licenses.ts";

/** A step of the build: what it makes, and how. Steps run in order. */
interface BuildStep {
  name: string;
  run: () => Promise<void>;
}

const EXECUTABLE = "dist/parley";

const ASSETS = `dist/${PACK_FILE}`;

const LICENSES = "dist/parley.licenses";

const STEPS: readonly BuildStep[] = [
  { name: ASSETS, run: async () => void (await Bun.write(ASSETS, packAssets(await buildWidgetAssets()))) },
  { name: LICENSES, run: async () => void (await Bun.write(LICENSES, await licenseReport())) },
  { name: EXECUTABLE, run: () => compileExecutable(EXECUTABLE) },
];

/**
 * One file that needs nothing else. Identifiers keep their names, as Elysia reads its handlers' source; the executable
 * ignores the `.env` and `bunfig.toml` of whatever folder it runs in.
 */
async function compileExecutable(outfile: string): Promise<void> {
  await rm(outfile, { force: true });
  await Bun.build({
    // Assets keep their folders: several languages have files of the same name. The widget's pack is found again by its own.
    entrypoints: [...PROGRAM, ASSETS],
    naming: { asset: "[dir]/[name].[ext]" },
    // The training thread is found at its place below this folder.
    root: "src",
    compile: { outfile, autoloadDotenv: false, autoloadBunfig: false },
    bytecode: true,
    format: "esm",
    minify: { whitespace: true, syntax: true },
    sourcemap: "linked",
    plugins: [sqliteDriverOf(process.platform, process.arch), allLicenses(), plainComments()],
  });
}

/** `src/store/driver.ts` names the driver of one platform; another one's stands in for it where the build runs there. */
function sqliteDriverOf(platform: string, arch: string): Bun.BunPlugin {
  const driver = `better-sqlite3/${platform}-${arch}`;
  return {
    name: "sqlite-driver",
    setup(build) {
      build.onResolve({ filter: /^better-sqlite3\/linux-x64$/ }, ({ importer }) => ({
        path: Bun.resolveSync(driver, importer),
      }));
    },
  };
}

/** Where `parley --licenses` prints the notice, the executable has the notice with all that is inside. */
function allLicenses(): Bun.BunPlugin {
  return {
    name: "all-licenses",
    setup(build) {
      build.onResolve({ filter: /\/docs\/NOTICE\.md$/ }, () => ({ path: resolve(LICENSES) }));
    },
  };
}

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
  for (const { name, run } of STEPS) {
    const startedAt = performance.now();
    await run();
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    process.stderr.write(`built ${name} in ${seconds} s\n`);
  }
}
