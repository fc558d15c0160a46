import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { eventually } from "../support/eventually.ts";
import { type SourceServer, serveSources } from "../support/source-server.ts";

/** A healthy server ends at once; one that waits for a log that nobody reads, after its deadline of a second. */
const EXIT_MS = 5000;
/** A line of a request has about 200 characters: this is more than pipe and buffer hold. */
const MANY_REQUESTS = 8000;

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "parley-pipe-"))));
afterEach(() => rmSync(folder, { recursive: true }));

/** A pipe that is open, and that nobody reads until `readAll`. */
function stalledPipe() {
  const path = join(folder, "pipe");
  if (Bun.spawnSync(["mkfifo", path]).exitCode !== 0) throw new Error("mkfifo failed");
  const descriptor = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  // Without O_NONBLOCK, as a shell hands a pipe to a program.
  const writingEnd = openSync(path, constants.O_WRONLY);
  const bytes = Buffer.alloc(1 << 20);
  const read = () => {
    try {
      return bytes.toString("utf8", 0, readSync(descriptor, bytes));
    } catch {
      return "";
    }
  };
  return {
    writingEnd,
    read,
    [Symbol.dispose]: () => {
      closeSync(writingEnd);
      closeSync(descriptor);
    },
  };
}

async function requestOften({ url }: SourceServer, times: number): Promise<void> {
  const callers = Array.from({ length: 16 }, async () => {
    for (let i = 0; i < times / 16; i += 1) await (await fetch(`${url}/healthz`)).bytes();
  });
  await Promise.all(callers);
}

async function droppedLines({ operatorUrl }: SourceServer): Promise<number> {
  const metrics = await (await fetch(`${operatorUrl}/metrics`)).text();
  return Number(/^parley_log_lines_dropped_total (\d+)$/m.exec(metrics)?.[1]);
}

async function stop({ process }: SourceServer): Promise<{ exitCode: number | string; ms: number }> {
  const startedAt = performance.now();
  process.kill("SIGTERM");
  const exitCode = await Promise.race([process.exited, Bun.sleep(EXIT_MS).then(() => "still running")]);
  return { exitCode, ms: performance.now() - startedAt };
}

describe("a log that nobody reads", () => {
  test("holds up no answer and no exit; lines are dropped and counted", async () => {
    using pipe = stalledPipe();
    await using server = await serveSources({ stdout: pipe.writingEnd, stderr: pipe.writingEnd });
    await requestOften(server, MANY_REQUESTS);
    expect(await droppedLines(server)).toBeGreaterThan(0);
    expect((await stop(server)).exitCode).toBe(0);
  }, 120_000);

  test("says how many lines were dropped, once it is read again", async () => {
    using pipe = stalledPipe();
    await using server = await serveSources({ stdout: pipe.writingEnd });
    await requestOften(server, MANY_REQUESTS);
    const dropped = await droppedLines(server);
    let text = "";
    await eventually(() => (text += pipe.read()).includes("were dropped"));
    expect(text).toContain(`"lines":${dropped},"msg":"${dropped} lines were dropped`);
    expect(dropped).toBeGreaterThan(0);
    const lines = text.split("\n").slice(0, -1);
    for (const line of lines) expect(JSON.parse(line)).toHaveProperty("msg");
  }, 120_000);

  test.each(["/dev/full"])(
    "on a device that is full holds up no answer and no exit: %s",
    async (device) => {
      const descriptor = openSync(device, "w");
      await using server = await serveSources({ stdout: descriptor, stderr: descriptor });
      await requestOften(server, 100);
      expect((await stop(server)).exitCode).toBe(0);
      closeSync(descriptor);
    },
    120_000,
  );
});
