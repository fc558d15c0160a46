/**
 * `npm run bench:soak`: ten minutes under load (`-- --minutes 1` for less), in windows of which throughput, p99, memory and write-ahead log
 * are printed; then what grew. Writes about 2 KB a message.
 */
import { statSync } from "node:fs";
import { parseArgs } from "node:util";

import { measureLoad } from "./load/measure.ts";
import { median } from "./load/plan.ts";
import { printMachine } from "./machine.ts";
import { dataFolder } from "./servers/data-folder.ts";
import { residentMegabytesOf } from "./servers/process-usage.ts";
import { serveParley } from "./servers/serve.ts";
import { chatRequests, seedShop, TURNS } from "./servers/shop.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    callers: { type: "string", default: "16" },
    generator: { type: "string" },
  },
});
const WINDOWS = 20;
/** The first window that counts; before, the heap grows and code is compiled. */
const SETTLED = 5;
const windowSeconds = Math.max(1, Math.round((Number(values.minutes) * 60) / WINDOWS));

interface Window {
  minutes: number;
  perSecond: number;
  p99Ms: number;
  residentMegabytes: number;
  logMegabytes: number;
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

/** Growth a minute by least squares. */
function slopePerMinute(windows: readonly Window[], of: (window: Window) => number): number {
  const meanMinutes = mean(windows.map(({ minutes }) => minutes));
  const meanValue = mean(windows.map(of));
  const covariance = windows.map((window) => (window.minutes - meanMinutes) * (of(window) - meanValue));
  const variance = windows.map(({ minutes }) => (minutes - meanMinutes) ** 2);
  return mean(covariance) / mean(variance);
}

function print(name: string, { minutes, perSecond, p99Ms, residentMegabytes, logMegabytes }: Window): void {
  const figures = [
    `${minutes.toFixed(1)} min`,
    `${perSecond.toFixed(0)} a second`,
    `p99 ${p99Ms.toFixed(1)} ms`,
    `${residentMegabytes.toFixed(0)} MB resident`,
    `log ${logMegabytes.toFixed(1)} MB`,
  ];
  console.log(`${name.padEnd(10)}${figures.map((figure) => figure.padStart(17)).join("")}`);
}

using data = dataFolder("disk");
const shop = await seedShop(data.path);
await using server = await serveParley(data.path);
const plan = {
  requests: chatRequests(server.url, shop),
  callers: Number(values.callers),
  turns: TURNS,
  seconds: windowSeconds,
};
printMachine();
console.log(`${values.callers} callers, ${WINDOWS} windows of ${windowSeconds} s\n`);
const startedAt = performance.now();
const windows: Window[] = [];
while (windows.length < WINDOWS) {
  const { perSecond, p99Ms } = await measureLoad(server, plan);
  const window = {
    minutes: (performance.now() - startedAt) / 60_000,
    perSecond,
    p99Ms,
    residentMegabytes: residentMegabytesOf(server.pid),
    logMegabytes: statSync(`${data.path}/parley.db-wal`).size / 1e6,
  };
  windows.push(window);
  print(`window ${windows.length}`, window);
}
const settled = windows.slice(SETTLED);
const third = Math.floor(settled.length / 3);
const p99 = (part: readonly Window[]) => median(part.map(({ p99Ms }) => p99Ms));
const meanMegabytes = mean(settled.map(({ residentMegabytes }) => residentMegabytes));
const drift = p99(settled.slice(-third)) / p99(settled.slice(0, third));
console.log(`
after the first ${SETTLED} windows:
memory grows by   ${slopePerMinute(settled, (window) => window.residentMegabytes).toFixed(2)} MB a minute, of ${meanMegabytes.toFixed(0)} MB
p99 drifts to     ${drift.toFixed(2)} times (last third to first third)
log at most       ${Math.max(...windows.map(({ logMegabytes }) => logMegabytes)).toFixed(1)} MB; the file has ${(statSync(`${data.path}/parley.db`).size / 1e6).toFixed(0)} MB`);
