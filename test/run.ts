import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { findChromium, installChromium } from "./support/chromium.ts";
import { findFirefox, installFirefox } from "./support/firefox.ts";
import { whyNoPostgres } from "./support/postgres-server.ts";
import { findRedisServer, installRedisServer } from "./support/redis-server.ts";

/**
 * The whole test run, as `npm test` starts it: checks of the sources, the build, then every test. Each line of
 * output names its step. Ends with `N passed, N failed`; a check counts as one. `npm test -- types unit`
 * runs the named steps alone.
 */

interface Count {
  passed: number;
  failed: number;
}

interface Step {
  name: string;
  run: (name: string) => Promise<Count>;
}

const ROOT = join(import.meta.dir, "..");
const BIN = join(ROOT, "node_modules/.bin");
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

/** One at a time: side by side they take each other's processors and connections to PostgreSQL, and fail by it. */
const STEPS: readonly Step[] = [
  check("types", "tsc", "--noEmit"),
  check("lint", "oxlint", "--type-aware", "--deny-warnings"),
  check("format", "oxfmt", "--check"),
  check("unused", "knip"),
  check("build", "bun", "src/build/executable.ts"),
  tests("unit"),
  onPostgres("contract", ["test/contract"]),
  tests("contract"),
  tests("executable"),
  tests("journey"),
  onPostgres("journey", ["test/journey"]),
  onPostgres("store", STORE_TESTS),
  { name: "browser", run: runInChromium },
  { name: "browser-firefox", run: runInFirefox },
];

function check(name: string, program: string, ...args: string[]): Step {
  return { name, run: async () => ((await run(name, program, args)) === 0 ? PASSED : FAILED) };
}

function tests(folder: string): Step {
  return { name: folder, run: (name) => runTests(name, [`test/${folder}`]) };
}

/** The same tests with the other store underneath. */
function onPostgres(what: string, paths: readonly string[]): Step {
  return {
    name: `${what}-postgres`,
    async run(name) {
      if (whyNoPostgres === undefined) return runTests(name, paths, { STORE_UNDER_TEST: "postgres" });
      sayLoudly("TESTS ON POSTGRESQL WERE LEFT OUT.", whyNoPostgres);
      return { passed: 0, failed: 0 };
    },
  };
}

/** Runs a program of the packages, and puts the step's name before each of its lines. */
async function run(
  name: string,
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<number | null> {
  const child = spawn(join(BIN, program), args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  for (const output of [child.stdout, child.stderr])
    createInterface(output).on("line", (line) => process.stderr.write(`${name} │ ${line}\n`));
  const [exitCode] = await once(child, "close");
  return exitCode;
}

/** Counts by the JUnit report; a run that breaks outside its tests counts as one more failure. */
async function runTests(
  name: string,
  paths: readonly string[],
  env: Record<string, string> = {},
): Promise<Count> {
  const reports = mkdtempSync(join(tmpdir(), "parley-tests-"));
  const report = join(reports, "junit.xml");
  try {
    const args = ["test", ...paths, "--timeout=120000", "--reporter=junit", `--reporter-outfile=${report}`];
    const exitCode = await run(name, "bun", args, env);
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

async function runInChromium(name: string): Promise<Count> {
  const chromium = findChromium() ?? installChromium();
  if (chromium !== undefined) return runTests(name, ["test/browser"], { CHROMIUM_PATH: chromium });
  sayLoudly(
    "BROWSER TESTS WERE LEFT OUT: there is no Chromium here.",
    "Install one (Debian, Ubuntu: `sudo apt-get install chromium`), or name it by CHROMIUM_PATH, and run again.",
  );
  return { passed: 0, failed: 0 };
}

/** The main journeys alone, in the files that have some: they are most of what browsers may do differently. */
async function runInFirefox(name: string): Promise<Count> {
  const firefox = findFirefox() ?? installFirefox();
  if (firefox !== undefined) {
    const env = { FIREFOX_PATH: firefox, BROWSER_UNDER_TEST: "firefox" };
    return runTests(name, await filesWithJourneys(), env);
  }
  sayLoudly(
    "BROWSER TESTS IN FIREFOX WERE LEFT OUT: there is no Firefox here.",
    "Install one (Debian: `sudo apt-get install firefox-esr`), or name it by FIREFOX_PATH, and run again.",
  );
  return { passed: 0, failed: 0 };
}

async function filesWithJourneys(): Promise<string[]> {
  const paths = await Array.fromAsync(new Bun.Glob("test/browser/*.test.ts").scan(ROOT));
  const texts = await Promise.all(paths.map((path) => Bun.file(join(ROOT, path)).text()));
  return paths.filter((_, at) => texts[at]!.includes("support/journey.ts")).toSorted();
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
    const { passed, failed } = await runStep(name);
    total.passed += passed;
    total.failed += failed;
    summary.push(`${name.padEnd(20)}${passed} passed, ${failed} failed`);
  }
  console.log(`\n${summary.join("\n")}`);
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
  process.exitCode = total.failed === 0 ? 0 : 1;
}
