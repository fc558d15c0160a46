import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { type LoadPlan, type LoadResult, MAX_REQUESTS } from "./plan.ts";

/** The final output of the script; times in microseconds. */
interface Summary {
  requests: number;
  microseconds: number;
  p50: number;
  p99: number;
  wrong: number;
  broken: number;
}

const THREADS = 1;

/** Path of `wrk`; null if it is not installed. */
export function findWrk(): string | null {
  return Bun.which("wrk");
}

/**
 * Plays a plan with `wrk`.
 *
 * @throws Error on answers with another status than the plan's, and on broken connections.
 */
export async function playWithWrk(wrk: string, plan: LoadPlan): Promise<LoadResult> {
  const folder = mkdtempSync(join(tmpdir(), "parley-load-"));
  const script = join(folder, "plan.lua");
  try {
    await Bun.write(script, luaOf(plan));
    const shape = ["-t", String(THREADS), "-c", String(plan.callers), "-d", `${plan.seconds}s`];
    const child = Bun.spawn([wrk, ...shape, "--timeout", "10s", "-s", script, plan.origin], {
      stdout: "pipe",
      stderr: "pipe",
    });
    const [output, errors] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    if ((await child.exited) !== 0) throw new Error(`wrk failed: ${errors}${output}`);
    return resultOf(readSummary(output), Number(child.resourceUsage()?.cpuTime.total ?? 0));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function readSummary(output: string): Summary {
  const line = output.split("\n").find((text) => text.startsWith("{"));
  if (line === undefined) throw new Error(`wrk said nothing of what it did: ${output}`);
  return JSON.parse(line) as Summary;
}

function resultOf({ requests, microseconds, p50, p99, wrong, broken }: Summary, cpuMicroseconds: number) {
  if (wrong > 0) throw new Error(`${wrong} of ${requests} answers had another status`);
  if (broken > 0) throw new Error(`${broken} connections broke or timed out`);
  return {
    requests,
    perSecond: requests / (microseconds / 1e6),
    p50Ms: p50 / 1000,
    p99Ms: p99 / 1000,
    generatorCores: cpuMicroseconds / microseconds,
  };
}

function luaOf({ requests, turns = 1, pauseMs = 0, expectedStatus = 200 }: LoadPlan): string {
  const rows = requests.map(({ head, body }) => `{${[head, body ?? []].flat().map(luaString).join(", ")}},`);
  const limit = Math.ceil(MAX_REQUESTS / THREADS);
  return [
    `plan = { turns = ${turns}, pause_ms = ${pauseMs}, status = ${expectedStatus}, limit = ${limit}, requests = {`,
    ...rows,
    "} }",
    `dofile(${luaString(join(import.meta.dir, "callers.lua"))})`,
  ].join("\n");
}

/** Every byte by its number, so that nothing needs escaping. */
function luaString(text: string): string {
  return `"${[...Buffer.from(text)].map((byte) => `\\${String(byte).padStart(3, "0")}`).join("")}"`;
}
