import { describe, expect, test } from "bun:test";
import { closeSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { type RawConnection, connectRaw } from "../support/raw-http.ts";
import { type SourceServer, serveSources } from "../support/source-server.ts";

const LIMIT = 64;
const KEEP_ALIVE = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
/** Clock ticks a second, of `/proc`: 100 on every Linux that Bun runs on. */
const TICKS_PER_SECOND = 100;

const withLimit = (hard: number, soft = hard) => [
  "/bin/sh",
  "-c",
  `ulimit -Sn ${soft} && ulimit -Hn ${hard} && exec "$@"`,
  "sh",
];

/** A server with few descriptors, and what it logs. */
async function serveWithFew() {
  const logFile = join(tmpdir(), `parley-descriptors-${process.pid}-${Math.random()}.log`);
  const descriptor = openSync(logFile, "w");
  const server = await serveSources({ wrapper: withLimit(LIMIT), stdout: descriptor });
  closeSync(descriptor);
  const logged = () =>
    readFileSync(logFile, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as { level: number; msg: string });
  return {
    server,
    logged,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      rmSync(logFile);
    },
  };
}

/** Connects as often as the server can bear, and more. What is not accepted waits in the kernel. */
function openMany({ url }: SourceServer, first: string): Promise<RawConnection[]> {
  return Promise.all(Array.from({ length: 2 * LIMIT }, () => connectRaw(url, first)));
}

function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

const ask = ({ url }: SourceServer) => fetch(`${url}/healthz`, { signal: AbortSignal.timeout(5000) });

describe.if(process.platform === "linux")("descriptors", () => {
  test("may be as many as the hard limit allows, whatever the soft one", async () => {
    await using server = await serveSources({ wrapper: withLimit(4000, 256) });
    const limits = readFileSync(`/proc/${server.process.pid}/limits`, "utf8");
    expect(limits).toMatch(/^Max open files +4000 +4000 /m);
  }, 120_000);

  test("that run short are said once and counted; idle connections give way to new ones", async () => {
    await using few = await serveWithFew();
    const { server, logged } = few;
    const idle = await openMany(server, KEEP_ALIVE);
    for (let i = 0; i < 5; i += 1) {
      expect((await ask(server)).status).toBe(200);
      await Bun.sleep(300);
    }
    const metrics = await (await fetch(`${server.operatorUrl}/metrics`)).text();
    expect(metrics).toContain("parley_descriptor_shortages_total 1");
    expect(metrics).toMatch(/^parley_idle_connections_closed_total [1-9]\d+$/m);
    expect(idle.filter(({ isClosed }) => isClosed).length).toBeGreaterThan(LIMIT / 4);
    const told = logged().filter(({ level }) => level > 30);
    expect(told.map(({ msg }) => msg)).toEqual([
      expect.stringContaining("made a new, empty database"),
      expect.stringContaining(`only ${LIMIT} file descriptors`),
      expect.stringContaining("file descriptors run short"),
    ]);
    for (const connection of idle) connection[Symbol.dispose]();
  }, 120_000);

  test("that have run out cost no core, and come back", async () => {
    await using few = await serveWithFew();
    const { server, logged } = few;
    // Bun gives them 12 seconds to say something.
    const silent = await openMany(server, "");
    await Bun.sleep(1000);
    const before = cpuSeconds(server.process.pid);
    await Bun.sleep(4000);
    const share = (cpuSeconds(server.process.pid) - before) / 4;
    for (const connection of silent) connection[Symbol.dispose]();
    expect((await ask(server)).status).toBe(200);
    expect(share).toBeLessThan(0.2);
    expect(logged().some(({ msg }) => msg.includes("file descriptors run short"))).toBe(true);
  }, 120_000);
});
