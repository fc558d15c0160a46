import { rm } from "node:fs/promises";

import { PACK_FILE, packAssets } from "../widget/assets.ts";
import { buildWidgetAssets } from "../widget/build.ts";

/** A step of the build: what it makes, and how. Steps run in order. */
interface BuildStep {
  name: string;
  run: () => Promise<void>;
}

const EXECUTABLE = "dist/parley";

const ASSETS = `dist/${PACK_FILE}`;

const STEPS: readonly BuildStep[] = [
  { name: ASSETS, run: async () => void (await Bun.write(ASSETS, packAssets(await buildWidgetAssets()))) },
  { name: EXECUTABLE, run: () => compileExecutable(EXECUTABLE) },
];

/**
 * One file that needs nothing else. Identifiers keep their names, as Elysia reads its handlers' source; the executable
 * ignores the `.env` and `bunfig.toml` of whatever folder it runs in.
 */
async function compileExecutable(outfile: string): Promise<void> {
  await rm(outfile, { force: true });
  await Bun.build({
    // Assets are found again by their name, among `Bun.embeddedFiles`. Of two in different folders that share a name, only one would be kept
    // if the folder were no part of it: every language has its `requests.txt`.
    entrypoints: ["src/main.ts", "src/intent/training/training-worker.ts", ASSETS],
    naming: { asset: "[dir]/[name].[ext]" },
    // The training thread is found at its place below this folder.
    root: "src",
    compile: { outfile, autoloadDotenv: false, autoloadBunfig: false },
    bytecode: true,
    format: "esm",
    minify: { whitespace: true, syntax: true },
    sourcemap: "linked",
    plugins: [sqliteDriverOf(process.platform, process.arch)],
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

if (import.meta.main) {
  for (const { name, run } of STEPS) {
    const startedAt = performance.now();
    await run();
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    process.stderr.write(`built ${name} in ${seconds} s\n`);
  }
}
