import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { findChromium, installChromium } from "./support/chromium.ts";
import { whyNoPostgres } from "./support/postgres-server.ts";
import { findRedisServer, installRedisServer } from "./support/redis-server.ts";

/**
 * The whole test run, as `npm test` starts it: checks of the sources, the build, then every test. Ends with
 * `N passed, N failed`; a check counts as one. `npm test -- types unit` runs the named steps alone.
 */

interface Count {
  passed: number;
  failed: number;
}

interface Step {
  name: string;
  run: () => Promise<Count>;
}

const BIN = join(import.meta.dir, "../node_modules/.bin");
const PASSED: Count = { passed: 1, failed: 0 };
const FAILED: Count = { passed: 0, failed: 1 };

/** Tests of what every store promises. */
const STORE_TESTS = [
  "analytics",
  "bots",
  "conversation-search",
  "knowledge",
  "operators",
  "turns-in-flight",
].map((name) => `test/unit/store/${name}.test.ts`);

const STEPS: readonly Step[] = [
  check("types", "tsc", "--noEmit"),
  check("lint", "oxlint", "--type-aware", "--deny-warnings"),
  check("format", "oxfmt", "--check"),
  check("unused", "knip"),
  check("build", "bun", "src/build/executable.ts"),
  tests("unit"),
  tests("contract"),
  tests("journey"),
  onPostgres("store", STORE_TESTS),
  onPostgres("contract", ["test/contract"]),
  onPostgres("journey", ["test/journey"]),
  tests("executable"),
  { name: "browser", run: runBrowserTests },
];

function check(name: string, program: string, ...args: string[]): Step {
  return { name, run: async () => ((await run(program, args)) === 0 ? PASSED : FAILED) };
}

function tests(folder: string): Step {
  return { name: folder, run: () => runTests([`test/${folder}`]) };
}

/** The same tests with the other store underneath. */
function onPostgres(name: string, paths: readonly string[]): Step {
  return {
    name: `${name}-postgres`,
    async run() {
      if (whyNoPostgres === undefined) return runTests(paths, { STORE_UNDER_TEST: "postgres" });
      sayLoudly("TESTS ON POSTGRESQL WERE LEFT OUT.", whyNoPostgres);
      return { passed: 0, failed: 0 };
    },
  };
}

async function run(
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<number> {
  return Bun.spawn([join(BIN, program), ...args], {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...env },
  }).exited;
}

/** Counts by the JUnit report; a run that breaks outside its tests counts as one more failure. */
async function runTests(paths: readonly string[], env: Record<string, string> = {}): Promise<Count> {
  const reports = mkdtempSync(join(tmpdir(), "parley-tests-"));
  const report = join(reports, "junit.xml");
  try {
    const args = ["test", ...paths, "--timeout=120000", "--reporter=junit", `--reporter-outfile=${report}`];
    const exitCode = await run("bun", args, env);
    if (!existsSync(report)) return FAILED;
    const count = countTests(await Bun.file(report).text());
    return exitCode !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count;
  } finally {
    rmSync(reports, { recursive: true });
  }
}

function countTests(junit: string): Count {
  const root = /<testsuites [^>]*>/.exec(junit)?.[0] ?? "";
  const read = (name: string) => Number(new RegExp(` ${name}="(\\d+)"`).exec(root)?.[1] ?? 0);
  const failed = read("failures") + read("errors");
  return { passed: read("tests") - failed - read("skipped"), failed };
}

async function runBrowserTests(): Promise<Count> {
  const chromium = findChromium() ?? installChromium();
  if (chromium !== undefined) {
    process.env.CHROMIUM_PATH = chromium;
    return runTests(["test/browser"]);
  }
  sayLoudly(
    "BROWSER TESTS WERE LEFT OUT: there is no Chromium here.",
    "Install one (Debian, Ubuntu: `sudo apt-get install chromium`), or name it by CHROMIUM_PATH, and run again.",
  );
  return { passed: 0, failed: 0 };
}

/** Tests of shared buckets are left out where there is no server for them. */
function findServers(): void {
  if (findRedisServer() ?? installRedisServer()) return;
  sayLoudly(
    "TESTS OF SHARED TOKEN BUCKETS ARE LEFT OUT: there is no redis-server here.",
    "Install one (Debian, Ubuntu: `sudo apt-get install redis-server`), or name it by REDIS_SERVER_PATH, and run again.",
  );
}

function sayLoudly(...lines: string[]): void {
  process.stderr.write(`\n${"*".repeat(72)}\n${lines.join("\n")}\n${"*".repeat(72)}\n`);
}

if (import.meta.main) {
  const named = process.argv.slice(2);
  const unknown = named.filter((name) => !STEPS.some((step) => step.name === name));
  if (unknown.length > 0) {
    const known = STEPS.map((step) => step.name).join(", ");
    throw new Error(`no step ${unknown.join(", ")}; there are ${known}`);
  }
  if (named.length === 0 || named.includes("unit") || named.includes("contract")) findServers();
  const total: Count = { passed: 0, failed: 0 };
  const summary: string[] = [];
  for (const { name, run: runStep } of STEPS) {
    if (named.length > 0 && !named.includes(name)) continue;
    process.stderr.write(`\n── ${name}\n`);
    const { passed, failed } = await runStep();
    total.passed += passed;
    total.failed += failed;
    summary.push(`${name.padEnd(20)}${passed} passed, ${failed} failed`);
  }
  console.log(`\n${summary.join("\n")}\n`);
  console.log(`${total.passed} passed, ${total.failed} failed`);
  process.exitCode = total.failed === 0 ? 0 : 1;
}
