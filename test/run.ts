import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";

import { findChromium, installChromium } from "./support/chromium.ts";
import { findFirefox, installFirefox } from "./support/firefox.ts";
import { whyNoPostgres } from "./support/postgres-server.ts";
import { findRedisServer, installRedisServer } from "./support/redis-server.ts";

/**
 * The whole test run, as `npm test` starts it: checks of the sources, the build, then every test. Each line of
 * output names its step. Ends with `N passed, N failed`; a check counts as one. `npm test -- types unit`
 * runs the named steps alone; `--record` writes down how long each file took.
 */

interface Count {
  passed: number;
  failed: number;
}

interface Step {
  name: string;
  run: (name: string) => Promise<Count>;
}

interface Finished extends Count {
  name: string;
  wallSeconds: number;
  /** The whole machine's, with browsers and servers of databases, and with what runs beside. */
  cpuSeconds: number;
}

/** A file of tests in a step's report. */
interface TestFile extends Count {
  name: string;
  seconds: number;
}

const ROOT = join(import.meta.dir, "..");
const BIN = join(ROOT, "node_modules/.bin");
/** Seconds by file, by which the slowest begin first; `--record` writes it. */
const TIMINGS = "test/timings.json";
/** What breaks a run though each of its tests passed. */
const OUTSIDE = "(outside of its tests)";
const NONE: Count = { passed: 0, failed: 0 };

/** Tests of what every store promises. */
const STORE_TESTS = [
  "actions",
  "analytics",
  "bots",
  "conversation-search",
  "deleted-bots",
  "turn-events",
  "knowledge",
  "operators",
  "turns-in-flight",
].map((name) => `test/unit/store/${name}.test.ts`);

/**
 * Contract tests of what is decided beside the store, by files that the store does not reach: HTTP headers, the words of
 * a message, the calls of a model server, the log, a process of its own on SQLite. A file that tests what the store
 * keeps, counts, finds or refuses is not among them.
 */
const BESIDE_THE_STORE = new Set(
  [
    "chat-speak",
    "descriptors",
    "endpoints",
    "every-answer",
    "model-completions",
    "model-governance",
    "model-intents",
    "shared-buckets",
    "social",
    "two-questions",
    "understanding",
    "unread-log",
    "unsafe-schemas",
  ].map((name) => `test/contract/${name}.test.ts`),
);

/** Each row is one step after the other; rows of one round run side by side, and rounds one after the other. */
const ROUNDS: readonly (readonly (readonly Step[])[])[] = [
  [
    [tests("unit")],
    [
      check("types", "tsc", "--noEmit"),
      check("lint", "oxlint", "--type-aware", "--deny-warnings"),
      check("format", "oxfmt", "--check"),
      check("unused", "knip"),
      check("build", "bun", "src/build/executable.ts"),
    ],
  ],
  [
    [
      onPostgres(
        "contract",
        testFilesIn("test/contract").filter((file) => !BESIDE_THE_STORE.has(file)),
      ),
      tests("contract"),
      tests("executable"),
      tests("journey"),
      onPostgres("journey", ["test/journey"]),
      onPostgres("store", STORE_TESTS),
      { name: "browser", run: runInChromium },
      { name: "browser-firefox", run: runInFirefox },
    ],
  ],
];

const steps = ROUNDS.flat(2);
const named = process.argv.slice(2).filter((arg) => arg !== "--record");
const isRecording = process.argv.includes("--record");
const unknown = named.filter((name) => !steps.some((step) => step.name === name));
if (unknown.length > 0) {
  const known = steps.map(({ name }) => name).join(", ");
  throw new Error(`no step ${unknown.join(", ")}; there are ${known}`);
}
const finished: Finished[] = [];
const testFiles: TestFile[] = [];
/** Files that failed, and passed when they ran again by themselves. */
const unstable: string[] = [];
/** Files that failed both times, each with what its second run said of it. */
const broken: string[] = [];
/** Lines of each failed test that the end of the run repeats. */
const REPEATED_LINES = 40;

function check(name: string, program: string, ...args: string[]): Step {
  return {
    name,
    async run() {
      const isPassed = (await run(name, program, args)) === 0;
      return { passed: isPassed ? 1 : 0, failed: isPassed ? 0 : 1 };
    },
  };
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
      return NONE;
    },
  };
}

/** Runs a program of the packages, and puts the step's name before each of its lines. */
async function run(
  name: string,
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
  lines: string[] = [],
): Promise<number> {
  const child = Bun.spawn([join(BIN, program), ...args], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  const printed = [child.stdout, child.stderr].map((output) => printLines(name, output, lines));
  const [exitCode] = await Promise.all([child.exited, ...printed]);
  return exitCode;
}

async function printLines(name: string, output: ReadableStream<Uint8Array>, lines: string[]): Promise<void> {
  for await (const line of createInterface(Readable.from(output))) {
    lines.push(line);
    process.stderr.write(`${name} │ ${line}\n`);
  }
}

/** What was said before each `(fail)`, since the test before. Pure. */
function saidOfFailures(lines: readonly string[]): string[] {
  const ends = [...lines.keys()].filter((at) => /^\((?:pass|fail|skip)\)/.test(lines[at]!));
  return ends.flatMap((end, at) =>
    lines[end]!.startsWith("(fail)")
      ? lines.slice(Math.max((ends[at - 1] ?? -1) + 1, end - REPEATED_LINES), end + 1)
      : [],
  );
}

/**
 * Deals the files to two processes, the slowest first. A file that fails runs once more, by itself: where it passes
 * then, the machine was too busy for it, and the end of the run names it as unstable. A file without a report could
 * not be loaded and counts as failed, and so does a run that breaks outside its tests.
 */
async function runTests(
  name: string,
  paths: readonly string[],
  env: Record<string, string> = {},
): Promise<Count> {
  const files = paths.flatMap(testFilesIn);
  const first = await runFiles(name, files, env);
  testFiles.push(...first.map((file) => ({ ...file, name: `${name} ${file.name}` })));
  const counts = [...first];
  for (const [at, file] of first.entries()) {
    if (file.failed === 0) continue;
    if (file.name === OUTSIDE) {
      broken.push(`${name} ${OUTSIDE}`);
      continue;
    }
    process.stderr.write(`${name} │ ${file.name} failed, and runs once more by itself\n`);
    const lines: string[] = [];
    const again = await runFiles(name, [file.name], env, lines);
    const failed = again.reduce((sum, each) => sum + each.failed, 0);
    if (failed === 0) unstable.push(`${name} ${file.name}`);
    else broken.push(`${name} ${file.name}`, ...saidOfFailures(lines));
    counts[at] = { ...again[0]!, failed };
  }
  const sum = (of: (file: TestFile) => number) => counts.reduce((total, file) => total + of(file), 0);
  return { passed: sum(({ passed }) => passed), failed: sum(({ failed }) => failed) };
}

/** @returns what became of each file */
async function runFiles(
  name: string,
  files: readonly string[],
  env: Record<string, string>,
  lines: string[] = [],
): Promise<TestFile[]> {
  const reports = mkdtempSync(join(tmpdir(), "parley-tests-"));
  const report = join(reports, "junit.xml");
  try {
    const args = ["test", "--parallel=2", "--no-isolate", "--timeout=120000", `--timings=${TIMINGS}`];
    if (isRecording) args.push("--update-timings");
    args.push("--reporter=junit", `--reporter-outfile=${report}`, ...files.map((file) => `./${file}`));
    const exitCode = await run(name, "bun", args, env, lines);
    const reported = readReport(existsSync(report) ? await Bun.file(report).text() : "");
    const isBroken = exitCode !== 0 && files.every((file) => reported.get(file)?.failed === 0);
    const results = files.map((file) => {
      const found = reported.get(file);
      if (found === undefined) process.stderr.write(`${name} │ ${file} has no report: it counts as failed\n`);
      return found ?? { name: file, passed: 0, failed: 1, seconds: 0 };
    });
    return isBroken ? [...results, { name: OUTSIDE, passed: 0, failed: 1, seconds: 0 }] : results;
  } finally {
    rmSync(reports, { recursive: true });
  }
}

function testFilesIn(path: string): string[] {
  if (path.endsWith(".ts")) return [path];
  return [...new Bun.Glob(`${path}/**/*.test.ts`).scanSync(ROOT)].toSorted();
}

/** Files by name, of a JUnit report of Bun. */
function readReport(junit: string): Map<string, TestFile> {
  const suites = junit.matchAll(/^ {2}<testsuite name="([^"]+)"[^>]*>/gm);
  return new Map(
    Array.from(suites, ([tag, name = ""]) => {
      const read = (field: string) => Number(new RegExp(` ${field}="([^"]+)"`).exec(tag)?.[1] ?? 0);
      const failed = read("failures");
      const passed = read("tests") - failed - read("skipped");
      return [name, { name, passed, failed, seconds: read("time") }];
    }),
  );
}

async function runInChromium(name: string): Promise<Count> {
  const chromium = findChromium() ?? installChromium();
  if (chromium !== undefined) return runTests(name, ["test/browser"], { CHROMIUM_PATH: chromium });
  sayLoudly(
    "BROWSER TESTS WERE LEFT OUT: there is no Chromium here.",
    "Install one (Debian, Ubuntu: `sudo apt-get install chromium`), or name it by CHROMIUM_PATH, and run again.",
  );
  return NONE;
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
  return NONE;
}

async function filesWithJourneys(): Promise<string[]> {
  const paths = testFilesIn("test/browser");
  const texts = await Promise.all(paths.map((path) => Bun.file(join(ROOT, path)).text()));
  return paths.filter((_, at) => texts[at]!.includes("support/journey.ts"));
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

const isChosen = ({ name }: Step) => named.length === 0 || named.includes(name);

async function runStep({ name, run: runIt }: Step): Promise<void> {
  process.stderr.write(`\n── ${name}\n`);
  const measure = startMeasuring();
  const count = await runIt(name);
  finished.push({ name, ...count, ...measure() });
}

/** @returns what has passed since, and what all processors have spent */
function startMeasuring(): () => Pick<Finished, "wallSeconds" | "cpuSeconds"> {
  const spent = () =>
    cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0) / 1000;
  const [at, before] = [performance.now(), spent()];
  return () => ({ wallSeconds: (performance.now() - at) / 1000, cpuSeconds: spent() - before });
}

function printSlowest(): void {
  const slowest = testFiles.toSorted((a, b) => b.seconds - a.seconds).slice(0, 20);
  console.log("\nThe slowest files, in seconds:");
  for (const { name, seconds } of slowest) console.log(`${seconds.toFixed(1).padStart(8)}  ${name}`);
}

function printSteps(together: Finished): void {
  console.log(`\n${"".padEnd(20)}  passed  failed  seconds  CPU seconds`);
  for (const { name, passed, failed, wallSeconds, cpuSeconds } of [...finished, together]) {
    const numbers = [passed, failed, wallSeconds.toFixed(0), cpuSeconds.toFixed(0)];
    const columns = numbers.map((number, at) => String(number).padStart([8, 8, 9, 13][at]!));
    console.log(`${name.padEnd(20)}${columns.join("")}`);
  }
}

if (named.length === 0 || named.includes("unit") || named.includes("contract")) findServers();
const measureAll = startMeasuring();
for (const rows of ROUNDS) {
  await Promise.all(
    rows.map(async (row) => {
      for (const step of row.filter(isChosen)) await runStep(step);
    }),
  );
}
const count = { passed: 0, failed: 0 };
for (const { passed, failed } of finished) {
  count.passed += passed;
  count.failed += failed;
}
printSlowest();
printSteps({ name: "together", ...count, ...measureAll() });
if (unstable.length > 0) sayLoudly("UNSTABLE: failed beside others, passed alone.", ...unstable);
if (broken.length > 0) sayLoudly("FAILED, twice:", ...broken);
console.log(`\n${count.passed} passed, ${count.failed} failed`);
process.exitCode = count.failed === 0 ? 0 : 1;
